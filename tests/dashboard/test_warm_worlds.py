"""What a worker keeps in memory between questions, and what it lets go of."""

import gc
import weakref
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest

from dashboard.engine import imported_of, input_without_objects
from dashboard.memory import used_bytes
from dashboard.models import Snapshot
from dashboard.services.background import question_worker, warm_worlds
from dashboard.services.background.interrupting import Interrupted, Interrupter
from dashboard.services.background.warm_worlds import settle, warm_world
from dashboard.services.workspace.scenarios import draft_scenario
from dashboard.services.workspace.why_pending import asked
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.warm_world import WarmWorld, adding
from tests.builders import pod
from tests.dashboard.test_why_pending import CLUSTER, imported

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forgetting() -> Any:
    warm_worlds.forget_worlds()
    yield
    warm_worlds.forget_worlds()


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    return imported(alice, *CLUSTER, name="kept")


def settled(snapshot: Snapshot, **fields: Any) -> RunInput:
    return input_without_objects(draft_scenario({"snapshot": snapshot, **fields}))


def kept(snapshot: Snapshot, **fields: Any) -> "weakref.ref[WarmWorld]":
    """Ask something of a world under these settings, and return what tells whether it is still there."""
    with warm_world(snapshot, settled(snapshot, **fields), Interrupter(lambda: False)) as world:
        world.trial([adding([pod("one-more")])])
        return weakref.ref(world)


def test_clusters_are_let_go_oldest_first_while_the_process_takes_too_much(
    snapshot: Snapshot, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = [kept(snapshot, until=float(seconds), driver="timed") for seconds in (60, 120, 180)]
    settle()
    assert all(each() for each in worlds)
    measured = iter([5, 5, 3])
    settings.TRIAL_MEMORY_BYTES = 4
    monkeypatch.setattr(warm_worlds, "used_bytes", lambda: next(measured))
    settle()
    assert [each() is not None for each in worlds] == [False, False, True]


def test_the_cluster_that_was_asked_about_last_stays(snapshot: Snapshot, settings: Any) -> None:
    settings.TRIAL_MEMORY_BYTES = 1
    older, last = kept(snapshot), kept(snapshot, driver="timed")
    settle()
    assert older() is None
    assert last() is not None


def test_memory_is_looked_at_after_each_question(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(question_worker, "settle", lambda: looked.append(1))
    assert asked(snapshot).is_ready
    assert looked == [1]


def test_clusters_of_one_snapshot_share_its_objects_and_leave_them_as_they_are(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = imported_of(snapshot)
    before = deepcopy(read.objects)
    monkeypatch.setattr(warm_worlds, "imported_of", lambda _: read)
    several = ({}, {"driver": "timed"}, {"controllers": "none"}, {"profile": "kube-1.33"})
    worlds = [kept(snapshot, **fields)() for fields in several]
    found = [each.run_input.objects for each in worlds if each is not None]
    assert len(found) == len(several)
    assert all(one is other for one, other in pairwise(found))
    assert found[0] == before


def test_a_cluster_that_was_cut_off_is_gone_after_the_question(snapshot: Snapshot) -> None:
    def cut_off() -> None:
        with warm_world(snapshot, settled(snapshot), Interrupter(lambda: False)) as world:
            there.append(weakref.ref(world.simulation.cluster))
            raise Interrupted

    there: list[weakref.ref[Any]] = []
    with pytest.raises(Interrupted):
        cut_off()
    settle()
    assert there[0]() is None


def test_what_a_question_built_is_gone_before_the_next_one_freezes_it(snapshot: Snapshot) -> None:
    with warm_world(snapshot, settled(snapshot), Interrupter(lambda: False)) as world:
        after = world.at_end()
        assert after is not None
        built = weakref.ref(after.simulation.cluster)
        del after
    settle()
    gc.freeze()
    assert built() is None


def test_the_memory_of_this_process_is_known_on_linux() -> None:
    assert 10 * 2**20 < used_bytes() < 2**40
