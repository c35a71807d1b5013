import sys

from weir import main

sys.exit(main())
