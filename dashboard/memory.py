"""The memory of this process: what it takes, and what the allocator keeps for later, given back."""

import ctypes
import os
from functools import cache
from pathlib import Path

_STATM = Path("/proc/self/statm")


def used_bytes() -> int:
    """Return how much memory of the machine this process takes now; 0 where the system doesn't tell it so."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def give_back() -> None:
    """Give free memory back, where the C library can: glibc keeps what lies below anything still in use."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)


@cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(None)
    except OSError:
        return None
    return library if hasattr(library, "malloc_trim") else None
