"""One soak: undisturbed twins first, then work under faults, then everything has to come to rest."""

import random
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.soak.client import Client
from benchmarks.soak.findings import Findings
from benchmarks.soak.plays import Play, plays, uploads
from benchmarks.soak.soak import told_thread
from benchmarks.soak.viewers import SEEN, Following
from benchmarks.soak.work import WORK_SECONDS, Work
from tests.several_machines.asking import Asking, played_undisturbed
from tests.several_machines.faults import Faults
from tests.several_machines.fleet import Fleet, running_fleet

REST_SECONDS = 180.0


@dataclass(frozen=True)
class SoakSettings:
    """What a soak is asked for; `pieces` are the threads of each kind of work."""

    hosts: int
    seed: int
    viewers: int
    cut_seconds: float


def soak(asked: SoakSettings, break_things: Callable[[Faults, Fleet], None]) -> bool:
    """Work while `break_things` does so; print what happened, and answer whether nothing broke."""
    findings = Findings()
    folder = Path(tempfile.mkdtemp(prefix="sandtable-machines-"))
    try:
        with running_fleet(folder, asked.hosts) as fleet:
            print(f"  {asked.hosts} worker hosts are ready after {_since(findings)} s", flush=True)
            _soak(fleet, asked, findings, break_things)
    except BaseException as error:
        findings.broke("the soak was broken off", repr(error))
        raise
    finally:
        findings.print_tables()
        if findings.broken:
            print(f"\nLogs and data are kept in {folder}")
        else:
            shutil.rmtree(folder)
    return not findings.broken


def _soak(
    fleet: Fleet, asked: SoakSettings, findings: Findings, break_things: Callable[[Faults, Fleet], None]
) -> None:
    following = Following(fleet.stack, findings, asked.viewers, asked.seed)
    over = threading.Event()

    def work(name: str) -> Work:
        chance = random.Random(f"{asked.seed}/{name}")
        return Work(Client(fleet.stack, findings), findings, following, chance)

    scenarios, bodies = _small_plays(), uploads()[:1]
    undisturbed = work("undisturbed")
    for play in scenarios:
        undisturbed.play_undisturbed(play)
    for upload in bodies:
        undisturbed.import_undisturbed(upload)
    asking = Asking(Client(fleet.stack, findings), findings)
    expected = played_undisturbed(asking, scenarios[0])
    print(f"  undisturbed twins are played after {_since(findings)} s", flush=True)
    threads = [
        told_thread("importer", findings, lambda: work("importer").import_until(over, bodies)),
        told_thread("player 1", findings, lambda: work("player 1").play_until(over, scenarios)),
        told_thread("player 2", findings, lambda: work("player 2").play_until(over, scenarios)),
        told_thread("asker", findings, lambda: asking.ask_until(over, scenarios[0], expected)),
    ]
    following.start()
    break_things(Faults(fleet, findings, asked.seed, asked.cut_seconds), fleet)
    over.set()
    print(f"  no more faults after {_since(findings)} s; what is under way comes to its end", flush=True)
    for thread in threads:
        thread.join(2 * WORK_SECONDS)
        if thread.is_alive():
            findings.broke("does not come to rest", thread.name)
    following.finish()
    if not findings.counts[SEEN]:
        findings.broke("nothing was tried", "no viewer has seen a run")
    _is_at_rest(fleet, findings)


def _is_at_rest(fleet: Fleet, findings: Findings) -> None:
    """Every part works again, and no work is left that nobody does."""
    client = Client(fleet.stack, findings)
    deadline = time.monotonic() + REST_SECONDS
    while time.monotonic() < deadline:
        if fleet.stack.is_ready() and not _unfinished(client):
            return
        time.sleep(1)
    findings.broke("not at rest", f"ready: {fleet.stack.is_ready()}, unfinished: {_unfinished(client)}")


def _unfinished(client: Client) -> list[int]:
    found = [
        client.get(f"/api/v1/runs/?status={status}")["results"] for status in ("queued", "running", "paused")
    ]
    return [run["id"] for runs in found for run in runs]


def _small_plays() -> list[Play]:
    """Those of the soak on one machine but for the largest; the paced one takes a quarter of a minute."""
    return plays()[:2]


def _since(findings: Findings) -> str:
    return f"{time.monotonic() - findings.began:.0f}"
