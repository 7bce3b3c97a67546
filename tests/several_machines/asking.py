"""Questions and sweeps: each is asked again under faults, and has to be answered as it was undisturbed."""

import re
import threading
import time
import uuid
from typing import Any

from benchmarks.soak.client import Client, Refused
from benchmarks.soak.findings import Findings
from benchmarks.soak.plays import Play
from benchmarks.soak.work import MOST_PIECES, WORK_SECONDS

LOOK_SECONDS = 0.5
PAUSE_SECONDS = 5.0
SEEDS = [1, 2, 3, 4]
SECONDS = re.compile(r"in [\d.]+ s\b")
"""How long an answer took, which it says itself."""
WITHOUT_NUMBERS = ("id", "run", "snapshot", "address", "href", "link", "at", "seconds")

Answers = dict[str, Any]


class Asking:
    """Imports a cluster under a name of its own, asks why its pods wait, and lets a sweep be played."""

    def __init__(self, client: Client, findings: Findings) -> None:
        self.client = client
        self.findings = findings

    def ask_until(self, stop: threading.Event, play: Play, expected: Answers) -> None:
        """Ask over and over until it is over."""
        for _ in range(MOST_PIECES):
            if stop.wait(PAUSE_SECONDS):
                return
            began = time.monotonic()
            try:
                answers = self.ask(play)
            except Refused as refusal:
                self.findings.broke("question refused or unanswered", str(refusal))
                continue
            for what, answer in answers.items():
                if answer != expected[what]:
                    where = difference(answer, expected[what])
                    self.findings.broke(f"{what} differs from the undisturbed one", where)
            self.findings.took("a question and a sweep", time.monotonic() - began)

    def ask(self, play: Play) -> Answers:
        """Return what is answered about a fresh import of the play's cluster."""
        name = f"asked-{uuid.uuid4()}"
        snapshot = self.client.create(
            f"/api/v1/snapshots/?name={name}", play.cluster, f"/api/v1/snapshots/?search={name}"
        )["id"]
        self._until(f"/api/v1/snapshots/{snapshot}/", lambda one: one["status"] in ("ready", "failed"))
        why = self._until(f"/api/v1/snapshots/{snapshot}/why/", lambda one: one.get("state") != "computing")
        found = {"why": _plain(why), "sweep": self._sweep(snapshot, play, name)}
        self.client.change("DELETE", f"/api/v1/snapshots/{snapshot}/?cascade=true")
        return found

    def _sweep(self, snapshot: int, play: Play, name: str) -> Any:
        body = {"name": name, "snapshot": snapshot, "edits": play.edits}
        find = f"/api/v1/scenarios/?name={name}"
        scenario = self.client.create("/api/v1/scenarios/", body, find)["id"]
        address = f"/api/v1/scenarios/{scenario}/sweeps/"
        dimensions = [{"field": "seed", "path": [], "values": SEEDS}]
        sweeps = self._swept(address)
        if not sweeps:
            try:
                self.client.change("POST", address, {"dimensions": dimensions})
            except Refused:
                if not self._swept(address):
                    raise
            sweeps = self._swept(address)
        ended = self._until(f"/api/v1/sweeps/{sweeps[0]['id']}/", lambda one: one["state"] == "ended")
        return _plain(ended["points"])

    def _swept(self, address: str) -> list[Any]:
        found: list[Any] = self.client.get(address)["sweeps"]
        return found

    def _until(self, path: str, condition: Any) -> Any:
        deadline = time.monotonic() + WORK_SECONDS
        while True:
            seen = self.client.get(path)
            if condition(seen):
                return seen
            if time.monotonic() > deadline:
                raise Refused(f"{path} does not come to its end: {str(seen)[:300]}")
            time.sleep(LOOK_SECONDS)


def played_undisturbed(asking: Asking, play: Play) -> Answers:
    """Return what is answered while nothing is broken."""
    return asking.ask(play)


def difference(one: Any, other: Any, path: str = "") -> str:
    """Return where two answers differ first, and how."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        found = (difference(one[key], other[key], f"{path}.{key}") for key in one if one[key] != other[key])
        return next(found, "")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next((difference(a, b, f"{path}[{n}]") for n, (a, b) in pairs if a != b), "")
    return "" if one == other else f"{path}: {str(one)[:150]} instead of {str(other)[:150]}"


def _plain(value: Any) -> Any:
    """Return an answer without the numbers that differ with each import or with how busy a machine is."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if key not in WITHOUT_NUMBERS}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return SECONDS.sub("in some time", value) if isinstance(value, str) else value
