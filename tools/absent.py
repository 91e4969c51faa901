"""End with an error if any of these modules can be imported: then what is tested is not what is promised without."""

import sys
from importlib.util import find_spec

if there := [name for name in sys.argv[1:] if find_spec(name) is not None]:
    sys.exit(f"{', '.join(there)} can be imported by {sys.executable}, but is to be missing there. Remove {sys.prefix}")
