"""``python -m tests.several_machines.upgrade OLD``: from another release to this one, while it is used.

OLD is a folder with a checkout of the older release that this environment's packages suit. The order is that
of docs/operations.md: the database, new workers and a new reaper beside the old ones, new web processes, the
end of the old workers. After each step a cluster is imported, asked about, swept and played, and what was
stored before is read again: all of it has to be as it was before.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.several_machines.machines import enter, wait_until

if TYPE_CHECKING:
    from tests.several_machines.fleet import Fleet

OLD, NEW = "host-1", "host-2"
TWICE = 2
"""So often everything is asked after a step, since either of two workers may take it."""
READY_SECONDS = 240.0
RUN_SECONDS = 300.0
LOOK_SECONDS = 0.5


def main(arguments: list[str]) -> int:
    """Upgrade and print each step; answer 1 if something was not as before."""
    parser = argparse.ArgumentParser(prog="python -m tests.several_machines.upgrade", description=__doc__)
    parser.add_argument("old", type=Path, metavar="OLD", help="a checkout of the older release")
    old = parser.parse_args(arguments).old.resolve()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from tests.several_machines.fleet import running_fleet

    folder = Path(tempfile.mkdtemp(prefix="sandtable-machines-"))
    broke: list[str] = []
    with running_fleet(folder, 1, dict.fromkeys(("web", "reaper", OLD), old), spare=1) as fleet:
        use = Use(fleet)
        for step, act in steps(fleet):
            act()
            wait_until(fleet.stack.is_ready, f"{step}: not ready", READY_SECONDS)
            differ = [what for _ in range(TWICE) for what in use.differs()]
            broke += [f"{step}: {what}" for what in differ]
            print(f"  {step}: {', '.join(differ) or 'all as before'}", flush=True)
    if not broke:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if broke else 0


def steps(fleet: "Fleet") -> Iterator[tuple[str, Callable[[], None]]]:
    """The steps of an upgrade, each to be done before the next is asked for."""
    old, new = fleet.machines[OLD], fleet.machines[NEW]
    yield "all of it old", lambda: None
    fleet.release.pop("web")
    yield "the database new", lambda: fleet.prepare(fleet.web)
    yield "workers new and old", lambda: fleet.start_host(new)
    fleet.release.pop("reaper")
    yield "the reaper new", lambda: _anew(fleet, "reaper")
    yield "web new, a worker old", lambda: _anew(fleet, "web")
    yield "all of it new", old.lose_power


def _anew(fleet: "Fleet", part: str) -> None:
    """End a part and start it on its machine's present release."""
    fleet.machines[part].kill(part)
    (fleet.start_web if part == "web" else fleet.start_reaper)()


class Use:
    """What is done with the product after each step, held to what came of it the first time."""

    def __init__(self, fleet: "Fleet") -> None:
        from benchmarks.soak.client import Client
        from benchmarks.soak.findings import Findings
        from benchmarks.soak.plays import plays
        from tests.several_machines.asking import Asking

        findings = Findings()
        self._client = Client(fleet.stack, findings)
        self._asking, self._play = Asking(self._client, findings), plays()[0]
        kept = self._client.create("/api/v1/snapshots/?name=kept", self._play.cluster, "/api/v1/snapshots/")
        self._snapshot = f"/api/v1/snapshots/{kept['id']}/"
        self._until(self._snapshot, "ready")
        body = {"name": "kept", "snapshot": kept["id"], "edits": self._play.edits}
        self._scenario = self._client.create("/api/v1/scenarios/", body, "/api/v1/scenarios/")["id"]
        self._kept_run = self._played()
        self._before: dict[str, Any] = {}

    def differs(self) -> list[str]:
        """Do everything once; return what came out otherwise than the first time."""
        now = {
            **self._asking.ask(self._play),
            "run": self._log(self._played()),
            "log of before": self._log(self._kept_run),
            "snapshot of before": self._client.get(f"{self._snapshot}nodes/?limit=500"),
        }
        self._before = self._before or now
        return [what for what, found in now.items() if found != self._before[what]]

    def _played(self) -> int:
        made = self._client.create("/api/v1/runs/", {"scenario": self._scenario}, "/api/v1/runs/")
        self._until(f"/api/v1/runs/{made['id']}/", "finished")
        return int(made["id"])

    def _log(self, run: int) -> list[Any]:
        found: list[Any] = []
        while more := self._client.get(f"/api/v1/runs/{run}/decisions/?after={len(found)}")["results"]:
            found += more
        return found

    def _until(self, address: str, status: str) -> None:
        deadline = time.monotonic() + RUN_SECONDS
        while (seen := self._client.get(address))["status"] != status:
            if time.monotonic() > deadline or seen["status"] == "failed":
                raise SystemExit(
                    f"{address} is {seen['status']}: {seen.get('error') or seen.get('problems')}"
                )
            time.sleep(LOOK_SECONDS)


if __name__ == "__main__":
    enter("tests.several_machines.upgrade", sys.argv[1:])
    sys.exit(main(sys.argv[1:]))
