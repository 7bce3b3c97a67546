"""The part of a FailedScheduling message that says which nodes turned a pod away, and why.

Kept of an import's PodScheduled conditions; all else in messages is dropped, since anybody may write them.

Source: kubernetes v1.36 pkg/scheduler/framework/types.go FitError.Error.
"""

import re
from typing import Any

_FIT = re.compile(r"0/[0-9]{1,6} nodes are available: [0-9]{1,6} [ -~]{1,900}?\.(?= |\Z)", re.ASCII)


def fit_part(message: Any) -> str | None:
    """Return `0/5 nodes are available: 5 Insufficient cpu.` of a message that begins so, else None."""
    found = _FIT.match(message) if isinstance(message, str) else None
    return found[0] if found else None
