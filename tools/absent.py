"""End with an error if any of these modules can be imported: what was tested would not be what is promised without them."""

import sys
from importlib.util import find_spec

if there := [name for name in sys.argv[1:] if find_spec(name) is not None]:
    sys.exit(f"{', '.join(there)} can be imported by {sys.executable}, but is to be missing there. Remove {sys.prefix}")
