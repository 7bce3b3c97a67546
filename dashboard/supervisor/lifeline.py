"""Ties the life of a process to its parent's, on Linux: however the parent ends, the kernel ends the child.

The signal is SIGKILL, which no handler can delay and which may come twice: Linux sends it for every *thread*
of the parent that ends while the child is handed on, and a worker that gets SIGTERM twice can lock up in its
own clean-up. A run that is cut off this way resumes from its last chunk.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent(parent: int) -> None:
    """Call in the child: it ends when the process ``parent`` does, at once if that one is gone already."""
    if LIBC is None:
        return
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
