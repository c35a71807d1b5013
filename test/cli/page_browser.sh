# the page of weir trace --html in a browser: no errors, all tables filled, names for who can't see it, 100,000 events in no time
. "$(dirname "$0")/common"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "no browser: scripts/setup --dev installs chromium"
    exit 77
}
export OCL_ICD_VENDORS=$BUILD/weir.icd WEIR_CACHE_DIR=$work/cache HOME=$work
unset WEIR_TRACE WEIR_PROFILE WEIR_WIDTH WEIR_CPU
cat >page.cl <<'CL'
kernel void work(global float *x) { // </script><b id="broken">
    x[get_global_id(0)] = x[get_global_id(0)] * 2 + 1;
}
CL
weir trace --html page.html "$BUILD/weir" run page.cl work --global 64 --arg ones --repeat 20000 --print 0 >/dev/null || exit 1
# looks at the page from inside, after having used it
cat >look.js <<'JS'
<script>
const wrong = [];
function check(what, is) { if (!is) wrong.push(what); }
for (const id of ['kernels', 'others', 'builds']) check(id + ' has no rows', document.querySelectorAll('#' + id + ' tbody tr').length > 0);
check('the kernel is missing', document.querySelector('#kernels tbody th').textContent === 'work');
check('the count is missing', document.querySelector('#kernels tbody tr').textContent.includes('20000'));
check('no source', [...document.querySelectorAll('#sources tbody tr')].some(r => r.textContent.includes('* 2 + 1')));
check('the source became a part of the page', !document.getElementById('broken'));
check('the page is wider than its window', document.documentElement.scrollWidth <= innerWidth);
check('no advice', document.querySelectorAll('#first li').length > 0);
check('no roofline', document.querySelector('#roof svg path'));
check('few events', data.events >= 100000);
for (const e of document.querySelectorAll('canvas, svg, button, table, section'))
  check('no name: ' + e.outerHTML.slice(0, 60), e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim());
for (const e of document.querySelectorAll('th')) check('no scope: ' + e.textContent, e.scope);
const pixels = () => { const d = pen.getImageData(0, 0, canvas.width, canvas.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; };
check('nothing is drawn', pixels() > 1000);
let slowest = 0;
function timed(step) { const t = performance.now(); step(); draw(); slowest = Math.max(slowest, performance.now() - t); }
for (let i = 0; i < 25; i++) timed(() => document.getElementById(['in', 'in', 'right', 'left', 'in'][i % 5]).click());
check('zooming does nothing', to - from < full / 1000);
for (const key of ['ArrowRight', '-', 'Home']) timed(() => canvas.dispatchEvent(new KeyboardEvent('keydown', {key})));
check('Home does not show all', Math.abs(to - from - full) < 1e-6 * full);
const box = canvas.getBoundingClientRect();
for (let y = 30; y < box.height; y += 11) for (let x = 200; x < box.width; x += 50)
  canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + x, clientY: box.top + y}));
check('pointing tells nothing', document.getElementById('told').textContent);
check('a drawing takes ' + slowest + ' ms', slowest < 1500);
// a long name leaves the numbers where they are seen, and many rows scroll in a box of their own
const named = document.querySelector('#kernels tbody th'), box2 = document.getElementById('kernels').parentNode;
named.textContent = 'name_'.repeat(40);
check('a long name moves the numbers out', innerWidth < 1000 || box2.scrollWidth <= box2.clientWidth);
const far = document.createElement('div'), rows = far.appendChild(document.createElement('table'));
table(rows, ['n'], Array.from({length: 100}, (_, i) => [i]), 'many');
document.body.append(far);
check('many rows push all else away', far.clientHeight < 800 && far.scrollHeight > 1000);
far.remove();
// the wheel moves the page until the timeline has the focus
const wheel = () => { const e = new WheelEvent('wheel', {deltaY: 1, cancelable: true}); canvas.dispatchEvent(e); return e.defaultPrevented; };
check('the wheel is taken', !wheel());
canvas.focus();
check('the wheel zooms nothing', wheel());
document.body.append('looked at: ' + (wrong.join('; ') || 'all is well'));
</script>
JS
sed -i '/^<\/body>/e cat look.js' page.html
# errors go to the log; also on a narrow screen
for size in 1200,900 500,900; do
    timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/user" --enable-logging=stderr --window-size=$size \
        --dump-dom "file://$work/page.html" >dom.html 2>log
    expect 0 'all is well' grep -o 'looked at: .*' dom.html
    expect 1 '^$' grep -E 'CONSOLE|Uncaught' log
done
finish
