"""The data folder and its files are their owner's alone: no other user of the machine reads sessions or keys.

A folder that others may enter is closed to them with a word where that harms nobody (it is ours, and holds
nothing but what Sandtable keeps), and refused otherwise. What is written afterwards is private by the umask.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO
UMASK = 0o077
KEPT_FOLDERS = ("backups", "logs", "static")
SECRETS = ("secret_key", "cluster_key", "token", "broker_url")
KEPT_FILES = ("sandtable.sqlite3*", "reserve", "up.lock", *SECRETS, *(f".{name}.*" for name in SECRETS))
FOUND_ANYWHERE = ("lost+found",)


class OpenToOthers(Exception):
    """The folder may be entered by others and must not be closed to them; the message says what to do."""


def close_to_others(folder: Path) -> bool:
    """Take the access of other users from the folder; True if they had some. Raises OpenToOthers and OSError.

    Files made by this process from now on are private, too.
    """
    os.umask(UMASK)
    found = folder.stat()
    if not found.st_mode & OTHERS:
        return False
    if found.st_uid != os.geteuid() and os.geteuid() != 0:
        raise OpenToOthers(
            f"{folder} can be entered by other users of this machine and belongs to another one, so that its "
            f"access can't be changed. Choose a folder in it, which is then made: DATA_DIR={folder / 'data'}"
        )
    if foreign := next(_foreign(folder), None):
        raise OpenToOthers(
            f"{folder} can be entered by others of this machine and holds other things ({foreign.name}). "
            f"Choose a folder in it, which is then made (DATA_DIR={folder / 'data'}), or close it: "
            f"chmod 700 {folder}"
        )
    folder.chmod(0o700)
    return True


def keep_files_private(folder: Path) -> list[Path]:
    """Take the access of others from the files of the data folder; return those that they had access to."""
    mended = []
    for path in _kept_files(folder):
        with suppress(FileNotFoundError):  # another process may turn over a log
            if path.is_file() and not path.is_symlink() and path.stat().st_mode & OTHERS:
                path.chmod(0o600)
                mended.append(path)
    return mended


def mend(folder: Path, say: Callable[[str], None]) -> None:
    """Close the folder and its files to others, with a word if they were open; as `close_to_others`."""
    if close_to_others(folder):
        say(f"{folder} could be entered by other users of this machine; it is closed to them now.")
    if files := keep_files_private(folder):
        names = ", ".join(str(path.relative_to(folder)) for path in files)
        say(f"Other users of this machine could read these files of {folder}, which are closed now: {names}")


def _foreign(folder: Path) -> Iterator[Path]:
    known = (*KEPT_FOLDERS, *KEPT_FILES, *FOUND_ANYWHERE)
    for path in sorted(folder.iterdir()):
        if not any(fnmatch(path.name, pattern) for pattern in known):
            yield path


def _kept_files(folder: Path) -> Iterator[Path]:
    for pattern in KEPT_FILES:
        yield from folder.glob(pattern)
    for name in ("backups", "logs"):
        yield from (folder / name).glob("*")
