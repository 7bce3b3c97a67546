"""The supervisor's processes, found by what started them (/proc), never by a name alone."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

WORKERS = ("worker", "importer", "answerer")
MEBIBYTE = 1024 * 1024
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Process:
    """A process of the product: the name of its part, or "pool of" it for a worker's own children."""

    pid: int
    parent: int
    part: str

    def kill(self) -> bool:
        """End it at once, if it is still the same process; tell whether it was."""
        try:
            handle = os.pidfd_open(self.pid)  # from here on the number cannot mean another process
        except ProcessLookupError:
            return False
        try:
            if _parent(self.pid) != self.parent:
                return False
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        except ProcessLookupError:
            return False
        finally:
            os.close(handle)
        return True

    def memory(self) -> float | None:
        """Resident memory in MiB; None if the process is gone."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE / MEBIBYTE
        except OSError:
            return None


def processes_of(supervisor: int) -> list[Process]:
    """The supervisor itself, its parts and their pool processes, as they live now."""
    parents = {int(folder.name): _parent(int(folder.name)) for folder in Path("/proc").glob("[0-9]*")}
    starters = {supervisor, *(pid for pid, parent in parents.items() if parent == supervisor)}
    parts = [
        Process(pid, parent, name)
        for pid, parent in parents.items()
        if parent in starters and (name := _part_name(pid))
    ]
    workers = {part.pid: f"pool of {part.part}" for part in parts if part.part in WORKERS}
    pool = [Process(pid, parent, workers[parent]) for pid, parent in parents.items() if parent in workers]
    return [Process(supervisor, os.getpid(), "supervisor"), *parts, *pool]


def _parent(pid: int) -> int:
    """The parent's number; 0 for a process that is gone or waits to be buried."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (OSError, ValueError):
        return 0
    return 0 if state == "Z" else int(parent)


def _part_name(pid: int) -> str:
    """What its title says that it is."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split()
    except (OSError, UnicodeDecodeError):
        return ""
    match words[:2]:
        case ["sandtable:", name]:
            return name.rstrip("\0")
        case ["[celeryd:", host] if host.endswith(":MainProcess]"):
            return host.partition("@")[0]
    return "broker" if any(word.endswith("valkey-server") for word in words[:1]) else ""
