"""Whether this installation and this machine can do the work, and what to do where they cannot."""
