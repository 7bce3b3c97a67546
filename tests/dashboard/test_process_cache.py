"""What a process keeps between requests, and when it lets go of it."""

import threading
import weakref
from typing import Any

import pytest

from dashboard.queries import process_cache, replay
from dashboard.queries.process_cache import Kept
from dashboard.queries.replay import forget_all, state_at
from dashboard.services.workspace.snapshots import import_snapshot
from tests.builders import node, pod
from tests.dashboard.rows import listing
from tests.dashboard.test_why_at import played


def any_number(number: int) -> bool:
    return True


class Thing:
    """Refers to itself, as a simulation does: only a collection finds that nobody has it."""

    def __init__(self) -> None:
        self.itself = self


def test_what_nobody_has_used_for_long_goes_and_its_memory_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = threading.Event()
    monkeypatch.setattr(process_cache, "give_back", given.set)
    kept: Kept[str, Thing] = Kept(4, idle=0.05)
    thing = Thing()
    there = weakref.ref(thing)
    kept.put("run", 1, thing)
    del thing
    assert given.wait(30)
    assert there() is None
    assert kept.take("run", any_number) is None


def test_the_heavier_things_are_the_fewer_are_kept() -> None:
    kept: Kept[str, str] = Kept(4, weight=10)
    for name in ("first", "second", "third"):
        kept.put(name, 1, name, weight=5)
    assert [kept.take(name, any_number) for name in ("first", "second", "third")] == [None, "second", "third"]
    kept.put("second", 1, "second", weight=5)
    kept.put("heavy", 1, "heavy", weight=50)
    assert [kept.take(name, any_number) for name in ("second", "heavy")] == [None, "heavy"]


@pytest.mark.django_db
def test_states_of_large_runs_are_kept_by_what_they_take(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of runs so large that a fold of each is half of what may be kept, two folds stay."""
    snapshot = import_snapshot(alice, "some", [("c.json", listing(node("a"), pod("first")))])
    three = [played(alice, snapshot, profile="kube-1.36") for _ in range(3)]
    size = len(replay.base_json(three[0]))
    kept: Kept[Any, Any] = Kept(replay.KEPT_FOLDS, int(2.5 * replay.FOLD_WEIGHT * size))
    monkeypatch.setattr(replay, "_folds", kept)
    forget_all()
    for run in three:
        assert state_at(run, 1).tables
    there = [kept.take(replay.run_key(run), any_number) is not None for run in three]
    assert there == [False, True, True]
