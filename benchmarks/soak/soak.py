"""One soak from its start to its tables: undisturbed runs first, then faults, then all must come to rest."""

import os
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.soak import memory
from benchmarks.soak.client import Client
from benchmarks.soak.faults import Faults
from benchmarks.soak.findings import Findings
from benchmarks.soak.plays import plays, uploads
from benchmarks.soak.viewers import Following
from benchmarks.soak.work import WORK_SECONDS, Work
from tests.fixtures.stack import Stack, running_stack

PLAYERS = 2
RECORD = Path(__file__).parent.parent / "soak.json"


@dataclass(frozen=True)
class Asked:
    """What a soak is asked for: its length, viewers, seconds between two faults, seed of all chance."""

    minutes: float
    viewers: int
    every: float
    seed: int


def soak(asked: Asked, database_url: str, record: bool) -> bool:
    """Run it and print what happened; whether nothing broke. The data folder is kept if something did."""
    if database_url:
        os.environ["DATABASE_URL"] = database_url  # the stack gets a database of its own there
    else:
        os.environ.pop("DATABASE_URL", None)
    findings = Findings()
    folder = Path(tempfile.mkdtemp(prefix="sandtable-soak-"))
    try:
        with running_stack(folder) as stack:
            _soak(stack, asked, findings)
    except BaseException as error:
        findings.broke("the soak was broken off", repr(error))
        raise
    finally:
        findings.print_tables()
        if findings.broken:
            print(f"\nLogs and data are kept in {folder}")
        else:
            shutil.rmtree(folder)
    if record:
        findings.write(RECORD, {**asdict(asked), "database": "postgresql" if database_url else "sqlite"})
    return not findings.broken


def _soak(stack: Stack, asked: Asked, findings: Findings) -> None:
    following = Following(stack, findings, asked.viewers, asked.seed)

    def work(name: str) -> Work:
        return Work(Client(stack, findings), findings, following, random.Random(f"{asked.seed}/{name}"))

    scenarios, bodies = plays(), uploads()
    for play in scenarios:
        work("undisturbed").play_undisturbed(play)
        print(f"  undisturbed: {play.name}, {len(play.log):,} decisions", flush=True)
    for upload in bodies:
        work("undisturbed").import_undisturbed(upload)
    over, measured = threading.Event(), threading.Event()
    watching = _thread("memory", lambda: memory.watch(stack.process.pid, measured, findings))
    faulting = _thread("faults", lambda: Faults(stack, findings, asked.seed).go_on_until(over, asked.every))
    working = [
        *(
            _thread(f"player {n}", lambda n=n: work(f"player {n}").play_until(over, scenarios))
            for n in range(PLAYERS)
        ),
        _thread("importer", lambda: work("importer").import_until(over, bodies)),
    ]
    following.start()
    _let_pass(asked.minutes * 60, stack, findings)
    over.set()
    print("  no more faults; what is under way comes to its end", flush=True)
    for thread in [faulting, *working]:
        thread.join(2 * WORK_SECONDS)
        if thread.is_alive():
            findings.broke("does not come to rest", thread.name)
    following.finish()
    measured.set()
    watching.join()
    _read_what_was_printed(stack, findings)


def _thread(name: str, work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


def _let_pass(seconds: float, stack: Stack, findings: Findings) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and stack.process.poll() is None:
        time.sleep(1)
    if stack.process.poll() is not None:
        findings.broke("the supervisor ended", f"exit code {stack.process.returncode}")


def _read_what_was_printed(stack: Stack, findings: Findings) -> None:
    """What the terminal showed: parts that died by themselves, tracebacks, a part that nobody watches."""
    printed = stack.printed()
    findings.count("printed: parts that died", printed.count("part died"))
    findings.count("printed: tracebacks", printed.count("Traceback (most recent call last)"))
    if "watched no longer" in printed:
        findings.broke("a part is watched no longer", "see the terminal's output in the folder")
