"""The soak's own checks can fail: a gap, a repeat, another log, a run started twice, memory that grows."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.soak import client as rest
from benchmarks.soak.client import Client, Refused
from benchmarks.soak.findings import Findings
from benchmarks.soak.memory import FEWEST_SAMPLES, WARM_UP_SAMPLES, compare
from benchmarks.soak.plays import digest
from benchmarks.soak.processes import processes_of
from benchmarks.soak.soak import told_thread
from benchmarks.soak.viewers import Followed, Following, Message, Place
from tests.fixtures.stack import wait_until

DECISIONS = [json.dumps({"seq": seq, "pod": f"shop/{seq}"}).encode() for seq in range(1, 11)]


class ScriptedStack:
    """Answers what the test lays out, one after another, and notes what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers: Iterator[Any] = iter(answers)
        self.asked: list[tuple[str, str]] = []

    def request(self, method: str, path: str, data: Any = None, *, headers: Any = None) -> tuple[int, Any]:
        self.asked.append((method, path))
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "FIRST_PAUSE", 0.0)


def seen_by_a_viewer(*batches: tuple[int, list[bytes]]) -> list[str]:
    """The kinds of what a viewer complains about when it gets these batches."""
    findings = Findings()
    following = Following(None, findings, viewers=0, seed=1)
    place = Place(Followed(1, [digest(one) for one in DECISIONS]))
    for first, items in batches:
        following.check(Message("decisions", first, items), place)
    following.check_end(Message("end", decisions=len(DECISIONS)), place)
    return sorted(findings.broken)


def test_a_viewer_that_gets_all_has_nothing_to_say() -> None:
    assert seen_by_a_viewer((1, DECISIONS[:4]), (5, DECISIONS[4:])) == []


@pytest.mark.parametrize(
    ("batches", "complaints"),
    [
        ([(1, DECISIONS[:4]), (6, DECISIONS[5:])], ["viewer saw a gap"]),
        ([(1, DECISIONS[:4]), (4, DECISIONS[3:])], ["viewer saw a repeat"]),
        ([(1, [*DECISIONS[:2], *DECISIONS[3:]])], ["viewer saw a gap"]),
        ([(1, DECISIONS[:4])], ["viewer did not get all"]),
        ([(1, [*DECISIONS[:9], b'{"seq": 10, "pod": "other"}'])], ["viewer saw another decision"]),
    ],
)
def test_a_viewer_tells_what_it_missed(batches: list[tuple[int, list[bytes]]], complaints: list[str]) -> None:
    assert seen_by_a_viewer(*batches) == complaints


def test_what_was_started_before_its_answer_was_lost_is_not_started_again() -> None:
    stack = ScriptedStack(ConnectionResetError(), (503, {}), (200, {"results": [{"id": 7}]}))
    created = Client(stack, Findings()).create("/runs/", {}, "/runs/?scenario=1")
    assert created == {"id": 7}
    assert [method for method, _ in stack.asked] == ["POST", "GET", "GET"]


def test_what_was_not_started_is_started_again() -> None:
    stack = ScriptedStack(ConnectionResetError(), (200, {"results": []}), (202, {"id": 8}))
    assert Client(stack, Findings()).create("/runs/", {}, "/runs/?scenario=1") == {"id": 8}


def test_an_answer_of_500_is_a_fault_and_a_no_is_told() -> None:
    findings = Findings()
    stack = ScriptedStack((500, "oh"), (200, {"id": 1}), (404, "no such run"))
    client = Client(stack, findings)
    assert client.get("/runs/1/") == {"id": 1}
    assert list(findings.broken) == ["REST answered 500"]
    with pytest.raises(Refused, match="404 no such run"):
        client.get("/runs/2/")


@pytest.mark.parametrize(("last", "broken"), [(110.0, []), (200.0, ["memory grew"])])
def test_memory_that_grows_is_told(last: float, broken: list[str]) -> None:
    findings = Findings()
    compare("web", [300.0] * WARM_UP_SAMPLES + [100.0] * FEWEST_SAMPLES + [last] * FEWEST_SAMPLES, findings)
    assert list(findings.broken) == broken


def test_a_thread_that_dies_is_told() -> None:
    findings = Findings()
    told_thread("player", findings, lambda: {}["missing"]).join(60)
    assert findings.broken.keys() == {"a thread of the soak failed"}


def test_only_children_of_the_supervisor_are_found_whatever_others_are_called() -> None:
    code = "import setproctitle, time; setproctitle.setproctitle('sandtable: worker'); time.sleep(600)"
    sleep = [sys.executable, "-c", code]
    start = f"import subprocess; subprocess.Popen({sleep}).wait()"
    stranger = subprocess.Popen(sleep)
    supervisor = subprocess.Popen([sys.executable, "-c", start])
    try:
        wait_until(lambda: "worker" in [one.part for one in processes_of(supervisor.pid)])
        (child,) = [one for one in processes_of(supervisor.pid) if one.part == "worker"]
        assert child.parent == supervisor.pid
        assert child.pid != stranger.pid
        assert child.kill()
        assert supervisor.wait(60) == 0
        assert not child.kill()
    finally:
        stranger.kill()
        supervisor.kill()
        stranger.wait()
        supervisor.wait()
