"""One soak from its start to its tables: undisturbed runs first, then faults, then all must come to rest."""

import os
import random
import shutil
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.soak import memory
from benchmarks.soak.client import Client
from benchmarks.soak.faults import Faults
from benchmarks.soak.findings import Findings
from benchmarks.soak.plays import Play, Upload, plays, uploads
from benchmarks.soak.viewers import SEEN, Following
from benchmarks.soak.work import WORK_SECONDS, Work
from tests.fixtures.stack import Stack, running_stack

RECORD = Path(__file__).parent.parent / "soak.json"


@dataclass(frozen=True)
class SoakSettings:
    """What a soak is asked for: its length, viewers, seconds between two faults, seed of all chance."""

    minutes: float
    viewers: int
    every: float
    seed: int


def soak(asked: SoakSettings, database_url: str, record: bool) -> bool:
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


def _soak(stack: Stack, asked: SoakSettings, findings: Findings) -> None:
    following = Following(stack, findings, asked.viewers, asked.seed)
    faults = Faults(stack, findings, asked.seed)
    over, measured = threading.Event(), threading.Event()
    scenarios, bodies = plays(), uploads()

    def work(name: str) -> Work:
        return Work(Client(stack, findings), findings, following, random.Random(f"{asked.seed}/{name}"))

    _play_undisturbed(work("undisturbed"), scenarios, bodies)
    watching = told_thread("memory", findings, lambda: memory.watch(stack.process.pid, measured, findings))
    busy = {
        "faults": lambda: faults.go_on_until(over, asked.every),
        "importer": lambda: work("importer").import_until(over, bodies),
        "player 1": lambda: work("player 1").play_until(over, scenarios),
        "player 2": lambda: work("player 2").play_until(over, scenarios),
    }
    threads = [told_thread(name, findings, one) for name, one in busy.items()]
    following.start()
    _let_pass(asked.minutes * 60, stack, findings)
    over.set()
    _come_to_rest(threads, following, findings)
    measured.set()
    watching.join()
    _stop(stack, findings)


def _play_undisturbed(work: Work, scenarios: list[Play], bodies: list[Upload]) -> None:
    for play in scenarios:
        work.play_undisturbed(play)
        print(f"  undisturbed: {play.name}, {len(play.log):,} decisions", flush=True)
    for upload in bodies:
        work.import_undisturbed(upload)


def _come_to_rest(threads: list[threading.Thread], following: Following, findings: Findings) -> None:
    """Wait until all that is under way has ended, and was seen to end."""
    print("  no more faults; what is under way comes to its end", flush=True)
    for thread in threads:
        thread.join(2 * WORK_SECONDS)
        if thread.is_alive():
            findings.broke("does not come to rest", thread.name)
    following.finish()
    if not findings.counts[SEEN]:
        findings.broke("nothing was tried", "no viewer has seen a run")


def told_thread(name: str, findings: Findings, work: Callable[[], None]) -> threading.Thread:
    """Start the work; a thread that dies checks nothing from then on, which must not pass unseen."""

    def told() -> None:
        try:
            work()
        except Exception as error:
            traceback.print_exc()
            findings.broke("a thread of the soak failed", f"{name}: {error!r}")

    thread = threading.Thread(target=told, name=name, daemon=True)
    thread.start()
    return thread


def _let_pass(seconds: float, stack: Stack, findings: Findings) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and stack.process.poll() is None:
        time.sleep(1)
    if stack.process.poll() is not None:
        findings.broke("the supervisor ended", f"exit code {stack.process.returncode}")


def _stop(stack: Stack, findings: Findings) -> None:
    """Stop it as Ctrl-C does, and count what the terminal showed."""
    if stack.process.poll() is None and stack.stop() != 0:
        findings.broke("the supervisor did not stop as it should", f"exit code {stack.process.returncode}")
    printed = stack.printed()
    findings.count("printed: parts that died", printed.count("part died"))
    findings.count("printed: tracebacks", printed.count("Traceback (most recent call last)"))
    if "watched no longer" in printed:
        findings.broke("a part is watched no longer", "see the terminal's output in the folder")
