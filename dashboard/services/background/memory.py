"""Memory that the allocator keeps for later, given back to the machine when a large piece of work is done."""

import ctypes
from functools import cache


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
