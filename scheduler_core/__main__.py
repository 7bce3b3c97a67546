"""`python -m scheduler_core decide < cases.jsonl > answers.jsonl`: see `recorded/command.py`."""

import sys

from recorded.command import main

if __name__ == "__main__":
    sys.exit(main())
