"""A file by which a part in a container of its own tells that it works: its time is that of the last turn."""

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

FILE = "SANDTABLE_ALIVE_FILE"
"""The variable with the file's path, in the environment of a part that is to tell."""
STALE_SECONDS = 600.0
"""A worker without a broker does not turn, but goes on with its runs: so long it is left alone."""


def begin() -> None:
    """Let this process tell from now on."""
    os.environ[FILE] = str(_path())
    tell()


def tell() -> None:
    """Tell that this process works, if it is to tell."""
    path = os.environ.get(FILE)
    if path:
        with suppress(OSError):  # a full disk: who looks for long in vain ends the part
            Path(path).touch()


def was_told() -> bool | None:
    """Return whether a part here told lately that it works; None where no part ever did."""
    try:
        return time.time() - _path().stat().st_mtime < STALE_SECONDS
    except FileNotFoundError:
        return None


def _path() -> Path:
    return Path(tempfile.gettempdir()) / "sandtable-alive"
