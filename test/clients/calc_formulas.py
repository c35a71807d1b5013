#!/usr/bin/env python3
# calc_formulas.py: formulas of LibreOffice Calc that it computes with OpenCL, each in a column of 120 rows.
#
# usage: calc_formulas.py sheet > SHEET.fods     writes the sheet
#        calc_formulas.py compare CPU.csv OPENCL.csv    fails where numbers are further apart than Calc's own algorithms are
import csv
import random
import sys
from xml.sax.saxutils import quoteattr

ROWS = 120
# SLN, SYD and their like get whole columns: of other arguments LibreOffice 7.4 writes lengths out of nowhere into its kernels.
# Of the row {r}: A and B are between 0.1 and 10, C between 0 and 1, D are integers from 1 to 20.
FORMULAS = """
[.A{r}]*[.B{r}]+SIN([.C{r}])
EXP([.A{r}])-LN([.B{r}])
SUM([.A{r}:.A$120])+[.D{r}]
AVERAGE([.A$1:.B{r}])
SUMPRODUCT([.A$1:.A$100];[.B$1:.B$100])*[.D{r}]
STDEV([.A$1:.A$120])*[.A{r}]
VAR([.A$1:.B$120])*[.A{r}]
MAX([.A$1:.A{r}])-MIN([.B{r}:.B$120])
COUNT([.A$1:.A{r}])*[.A{r}]
POWER([.A{r}];[.B{r}])
ATAN2([.A{r}];[.B{r}])
ASIN([.C{r}])+ACOS([.C{r}])*TANH([.A{r}])
SINH([.A{r}])+ACOSH([.D{r}])
MOD([.D{r}];[.A{r}])
ROUND([.A{r}];2)+FLOOR([.B{r}];1)
COMBIN([.D{r}]+3;3)
IF([.A{r}]>[.B{r}];[.A{r}];[.D{r}])
NORMDIST([.A{r}];5;2;1)
NORMSINV([.C{r}])
LOGINV([.C{r}];1;0.5)
GAMMALN([.A{r}])
GAMMADIST([.A{r}];2;3;1)
BETADIST([.C{r}];2;3;0;1)
FDIST([.A{r}];[.D{r}];7)
TDIST([.A{r}];[.D{r}];2)
CHIDIST([.A{r}];[.D{r}])
POISSON([.D{r}];[.A{r}];1)
WEIBULL([.A{r}];2;[.B{r}];1)
BINOMDIST(2;[.D{r}]+2;[.C{r}];1)
CORREL([.A$1:.A$120];[.B$1:.B$120])*[.A{r}]
SLOPE([.A$1:.A$120];[.B$1:.B$120])+[.A{r}]
GEOMEAN([.A$1:.A$120])*[.D{r}]
SKEW([.A$1:.A$120])*[.A{r}]
PMT([.C{r}]/10+0.01;[.D{r}];[.A{r}])
SYD([.A{r}];[.B{r}];[.D{r}];[.D{r}])
NPER([.C{r}]/100+0.01;[.B{r}]+1;[.A{r}])
SLN([.A{r}];[.B{r}];[.D{r}])
EFFECTIVE([.C{r}]+0.01;[.D{r}])
SUMIF([.A$1:.A$120];[.A{r}];[.B$1:.B$120])
VLOOKUP([.D{r}];[.D$1:.E$120];2;0)
""".split("\n")[1:-1]


def sheet():
    draw = random.Random(5)
    rows = []
    for r in range(1, ROWS + 1):
        numbers = [draw.uniform(0.1, 10), draw.uniform(0.1, 10), draw.random(), draw.randint(1, 20), r]
        cells = [f'<table:table-cell office:value-type="float" office:value="{round(n, 6)!r}"/>' for n in numbers]
        cells += [f'<table:table-cell table:formula={quoteattr("of:=" + f.format(r=r))} office:value-type="float"/>' for f in FORMULAS]
        rows.append("<table:table-row>" + "".join(cells) + "</table:table-row>")
    names = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table"))
    print(f'<?xml version="1.0" encoding="UTF-8"?><office:document {names} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"'
          ' office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>'
          '<table:table table:name="sheet">' + "\n".join(rows) + "</table:table></office:spreadsheet></office:body></office:document>")


def compare(cpu, opencl):
    wrong = 0
    expected, got = (list(csv.reader(open(name))) for name in (cpu, opencl))
    for column, formula in enumerate(FORMULAS, 5):
        worst = 0
        for e, g in zip(expected, got):
            try:
                worst = max(worst, abs(float(e[column]) - float(g[column])) / max(abs(float(e[column])), 1e-6))
            except ValueError:
                worst = max(worst, 0 if e[column] == g[column] else float("inf"))
        good = worst < 1e-9
        wrong += not good
        print(f"{'pass' if good else 'FAIL'}: {formula}: {worst:.1e}")
    return wrong or len(expected) != ROWS or len(got) != ROWS


sys.exit(sheet() if sys.argv[1] == "sheet" else 1 if compare(*sys.argv[2:4]) else 0)
