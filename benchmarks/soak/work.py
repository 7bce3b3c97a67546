"""Starts runs and imports over REST and holds what became of each to the undisturbed one."""

import json
import random
import threading
import time
import uuid
from typing import Any

from benchmarks.soak.client import Client, Refused
from benchmarks.soak.findings import Findings
from benchmarks.soak.plays import Play, Upload, digest
from benchmarks.soak.viewers import Following

ENDED = ("finished", "cancelled", "failed")
LOOK_SECONDS = 0.5
WORK_SECONDS = 600  # within which a run or an import ends, whatever is killed meanwhile
MOST_PIECES = 20_000  # of one thread; the log of each is kept
PAGE = 5000
WISHES = ("", "", "", "cancel", "pause")


class Work:
    """One thread's work: a piece after another until it is told to stop."""

    def __init__(
        self, client: Client, findings: Findings, following: Following, chance: random.Random
    ) -> None:
        self.client = client
        self.findings = findings
        self.following = following
        self.chance = chance

    def play_until(self, stop: threading.Event, plays: list[Play]) -> None:
        """Play one scenario after another."""
        for _ in range(MOST_PIECES):
            if stop.is_set():
                return
            play = self.chance.choice(plays)
            wish = self.chance.choice(WISHES) if play.rate else ""
            self._guarded("run", lambda play=play, wish=wish: self._play_again(play, wish))

    def import_until(self, stop: threading.Event, uploads: list[Upload]) -> None:
        """Import one body after another and delete what was imported."""
        for number in range(MOST_PIECES):
            if stop.is_set():
                return
            upload = uploads[number % len(uploads)]
            self._guarded("import", lambda upload=upload: self._import_again(upload))

    def play_undisturbed(self, play: Play) -> None:
        """Import the cluster, play the scenario once at full speed, and keep the marks of its log."""
        play.snapshot = self._imported(Upload(play.name, play.cluster, "application/json"))["id"]
        run = self._started(play, None)
        ended = self._ended(f"runs/{run}/", ENDED)
        if ended["status"] != "finished":
            raise Refused(f"the undisturbed run of '{play.name}' ended {ended['status']}: {ended['error']}")
        play.log = self._log(run)
        play.stream = self.following.read_whole(run)

    def import_undisturbed(self, upload: Upload) -> None:
        """Import the body once and keep its content hash."""
        upload.content_hash = self._imported(upload)["content_hash"]

    def _guarded(self, kind: str, piece: Any) -> None:
        began = time.monotonic()
        try:
            name = piece()
        except Refused as refusal:
            self.findings.broke(f"{kind} refused or unanswered", str(refusal))
        else:
            self.findings.took(f"{kind}: {name}", time.monotonic() - began)

    def _play_again(self, play: Play, wish: str) -> str:
        run = self._started(play, play.rate)
        followed = self.following.follow(run, play.stream)
        status = ""
        try:
            if wish:
                self._wish(run, wish)
            ended = self._ended(f"runs/{run}/", ENDED)
            status = ended["status"]
        finally:
            followed.ended_at = time.monotonic()
            followed.stopped = status not in ENDED
        expected = ("cancelled", "finished") if wish == "cancel" else ("finished",)
        if status not in expected:
            sentence = f"run {run} ({play.name}) is {status}: {ended['error']}"
            self.findings.broke("run did not end as asked", sentence)
            return f"{play.name}, {status}"
        self._compare(run, play, status)
        return f"{play.name}, {'with a pause' if wish == 'pause' else status}"

    def _compare(self, run: int, play: Play, status: str) -> None:
        log = self._log(run)
        expected = play.log if status == "finished" else play.log[: len(log)]
        if log != expected:
            same = next(
                (n for n, pair in enumerate(zip(log, expected, strict=False)) if pair[0] != pair[1]), None
            )
            where = f"differs at decision {same + 1}" if same is not None else "is of another length"
            sentence = f"run {run} ({play.name}) has {len(log)} of {len(expected)} decisions and {where}"
            self.findings.broke("log differs from the undisturbed one", sentence)

    def _wish(self, run: int, wish: str) -> None:
        """Wait until some decisions are there, then cancel the run, or let it rest a moment."""
        enough = self.chance.randint(10, 60)
        self._until(f"runs/{run}/", lambda one: one["decisions"] >= enough or one["status"] in ENDED)
        self._ask(run, wish)
        if wish == "pause":
            self._until(f"runs/{run}/", lambda one: one["status"] in ("paused", *ENDED))
            self._ask(run, "resume")

    def _ask(self, run: int, wish: str) -> None:
        """Ask for it; a run that has ended meanwhile, or heard the same question twice, answers 409."""
        try:
            self.client.change("POST", f"/api/v1/runs/{run}/{wish}/")
        except Refused as refusal:
            if ": 409 " not in str(refusal):
                raise

    def _started(self, play: Play, rate: float | None) -> int:
        name = f"{play.name} {uuid.uuid4()}"
        body = {"name": name, "snapshot": play.snapshot, "edits": play.edits}
        find = f"/api/v1/scenarios/?name={name.replace(' ', '%20')}"
        scenario = self.client.create("/api/v1/scenarios/", body, find)["id"]
        runs = f"/api/v1/runs/?scenario={scenario}"
        run = self.client.create("/api/v1/runs/", {"scenario": scenario, "rate": rate}, runs)["id"]
        return int(run)

    def _import_again(self, upload: Upload) -> str:
        imported = self._imported(upload)
        if imported["status"] != "ready":
            sentence = (
                f"snapshot {imported['id']} ({upload.name}) is {imported['status']}: {imported['problems']}"
            )
            self.findings.broke("import did not end ready", sentence)
            return f"{upload.name}, ended {imported['status']}"
        if imported["content_hash"] != upload.content_hash:
            self.findings.broke("import differs from the undisturbed one", f"snapshot {imported['id']}")
        self.client.change("DELETE", f"/api/v1/snapshots/{imported['id']}/")
        return upload.name

    def _imported(self, upload: Upload) -> dict[str, Any]:
        name = f"soak-{uuid.uuid4()}"
        path, find = f"/api/v1/snapshots/?name={name}", f"/api/v1/snapshots/?search={name}"
        snapshot = self.client.create(path, upload.body, find, upload.content_type)["id"]
        self._ended(f"snapshots/{snapshot}/progress/", ("ready", "failed"))
        imported: dict[str, Any] = self.client.get(f"/api/v1/snapshots/{snapshot}/")
        return imported

    def _ended(self, path: str, ends: tuple[str, ...]) -> dict[str, Any]:
        return self._until(path, lambda one: one["status"] in ends)

    def _until(self, path: str, condition: Any) -> dict[str, Any]:
        """Look until the condition holds or the time is over; what was seen last."""
        deadline = time.monotonic() + WORK_SECONDS
        while True:
            seen: dict[str, Any] = self.client.get(f"/api/v1/{path}")
            if condition(seen) or time.monotonic() > deadline:
                return seen
            time.sleep(LOOK_SECONDS)

    def _log(self, run: int) -> list[bytes]:
        """The mark of each decision that REST lists."""
        marks, address = [], f"/api/v1/runs/{run}/decisions/?limit={PAGE}"
        while address:
            page = self.client.get(address)
            marks += [digest(json.dumps(decision).encode()) for decision in page["results"]]
            address = page["next"]
        return marks
