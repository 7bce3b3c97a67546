"""A worker answers why pods wait: stored once for all, neither lost nor wrong whatever ends in between."""

from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from dashboard.engine import SIMULATION_CLASS, engine_version, simulation_class
from dashboard.models import AnswerPart, Question, Snapshot, WorkingPart
from dashboard.services.background import dispatch, execution, question_worker, warm_worlds
from dashboard.services.background.leases import machine
from dashboard.services.background.lost_work import LOSS_LIMIT
from dashboard.services.background.question_worker import answer_question
from dashboard.services.background.reaping import reap
from dashboard.services.workspace import why_pending
from dashboard.services.workspace.snapshots import delete_snapshot
from dashboard.services.workspace.why_packing import pack_marks, unpack_marks
from dashboard.services.workspace.why_pending import Asking, asked
from scheduler_core.predicates.resource_figures import Wanted
from scheduler_core.schedulers.cause import Against, Marks
from tests.dashboard.processes import Processes, wait_until
from tests.dashboard.test_why_pending import CLUSTER, imported
from tests.dashboard.test_why_pending import asking as asking_pod
from tests.hindrances import locked_database

SECONDS = 120
DEAD = f"{machine()}:{2**22 + 1}:1:x"
ENGINE = {"SANDTABLE_TEST_SIMULATION": SIMULATION_CLASS}

AGAIN = {"HX-Request": "true", "HX-Target": "why-now"}
"""What a page sends that asks once more."""

transactional = pytest.mark.django_db(transaction=True)


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    return imported(alice, *CLUSTER, asking_pod("more", "500m"), name="asked")


def causes(found: Asking) -> list[Any]:
    """Return all that was answered, in an order of its own."""
    return sorted(
        ((one.pods.first, one.answered.cause, one.agrees) for one in found.found), key=lambda one: one[0]
    )


def answered(snapshot: Snapshot) -> Callable[[], bool]:
    """Return what tells whether all is answered, whoever has to be reminded of it."""

    def is_answered() -> bool:
        reap()
        return asked(snapshot).is_ready

    return is_answered


# -- a real broker and real workers ------------------------------------------------------------------------


@transactional
@pytest.mark.parametrize("whole", [False, True], ids=["its pool process", "all of it"])
def test_a_worker_that_is_killed_in_between_is_followed_by_one_that_goes_on(
    processes: Processes, settings: Any, snapshot: Snapshot, whole: bool
) -> None:
    settings.SIMULATION_CLASS = SIMULATION_CLASS
    processes.worker(
        death={"point": "answer", "count": 2, "whole": whole},
        SANDTABLE_TEST_SIMULATION="tests.faults.MortalAnswers",
    )
    assert not asked(snapshot).is_ready
    wait_until(processes.died, SECONDS)
    first = AnswerPart.objects.get()
    told = asked(snapshot)
    assert (told.is_ready, len(told.found), len(told.kinds)) == (False, 1, 3)
    if whole:
        processes.worker(**ENGINE)
    wait_until(answered(snapshot), SECONDS)
    assert AnswerPart.objects.filter(pk=first.pk).exists()
    found = asked(snapshot)
    Question.objects.all().delete()
    undisturbed = asked(snapshot, SECONDS)
    assert causes(found) == causes(undisturbed)
    assert len(found.found) == 3


@transactional
def test_follow_ups_of_a_snapshot_are_answered_by_the_worker_that_has_it_and_nobody_builds_it_again(
    processes: Processes, settings: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SIMULATION_CLASS = SIMULATION_CLASS
    monkeypatch.setattr(why_pending, "ASKED_SECONDS", 0.0)
    assert not asked(snapshot).is_ready
    processes.worker(SANDTABLE_TEST_SIMULATION="tests.faults.BuiltOnce")
    wait_until(answered(snapshot), SECONDS)
    assert len(asked(snapshot).found) == 1
    more = asked(snapshot, SECONDS, pod="shop/more")
    assert [one.names for one in more.left] == [["gated"]]
    assert [one.answered.cause.kind for one in more.found] == ["nodes", "fits"]
    all_of_it = asked(snapshot, SECONDS, longer=True)
    assert (all_of_it.left, all_of_it.untried) == ([], "")


@transactional
def test_without_a_broker_the_page_tells_it_and_the_reaper_sends_the_question_once_there_is_one(
    client: Client, alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "send_question", lambda pk: False)
    client.force_login(alice)
    address = f"/snapshots/{snapshot.pk}/"
    assert "Being computed" in client.get(address, headers=AGAIN).text
    Question.objects.update(asked_at=timezone.now() - timezone.timedelta(seconds=60))
    monkeypatch.setattr("dashboard.services.background.attendance.present_parts", lambda: {"answerer"})
    page = client.get(address, headers=AGAIN).text
    assert "The broker takes no message at present: the question is sent again." in page
    assert "Cancel</button>" in page
    monkeypatch.setattr(dispatch, "send_question", lambda pk: question_worker.answer_question(pk) or True)
    assert reap() == 1
    assert asked(snapshot).is_ready


@transactional
def test_while_the_database_is_locked_the_page_says_so_and_gets_its_answer_afterwards(
    client: Client, alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    address = f"/snapshots/{snapshot.pk}/"
    with monkeypatch.context() as patched:
        patched.setattr(why_pending, "LOCK_SECONDS", 0.01)
        with locked_database():
            page = client.get(address, headers=AGAIN)
    if not Question.objects.exists():  # on PostgreSQL another table is locked
        assert "The database takes no question at present" in page.text
    assert asked(snapshot, SECONDS).is_ready
    assert '<h2 class="why-lead">' in client.get(address).text


# -- what is stored ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_equal_content_is_asked_once_and_what_was_answered_goes_with_its_snapshot(
    alice: Any, snapshot: Snapshot
) -> None:
    twin = Snapshot.objects.get(pk=imported(alice, *CLUSTER, asking_pod("more", "500m"), name="twin").pk)
    first, second = asked(snapshot, SECONDS), asked(twin, SECONDS)
    assert Question.objects.count() == 1
    assert causes(first) == causes(second)
    delete_snapshot(snapshot)
    assert not AnswerPart.objects.exists()
    assert causes(asked(twin, SECONDS)) == causes(first)


@pytest.mark.django_db
def test_a_reader_ends_it_and_what_was_answered_stands(
    client: Client, alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(why_pending, "ASKED_SECONDS", 0.0)
    asked(snapshot, SECONDS)
    monkeypatch.setattr(dispatch, "send_question", lambda pk: False)
    asked(snapshot, longer=True)
    client.force_login(alice)
    ended = client.post(f"/snapshots/{snapshot.pk}/end-asking/", follow=True).text
    assert "Asked of 1 of 3 kinds of pods: 2 pods were not tried, it was ended" in " ".join(ended.split())
    assert "Ask about the others for up to 20 s" in ended
    question = Question.objects.get()
    assert (question.owner, question.status) == ("", "answered")


@pytest.mark.django_db
def test_what_all_answers_share_takes_no_time_from_the_others(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]

    class OpensLong(simulation_class()):  # type: ignore[misc]
        """Takes longer for its first answer than anybody may wait for the others."""

        def whys(self, uids: Any) -> Any:
            for place, one in enumerate(super().whys(uids)):
                clock[0] += 0.01 if place else why_pending.MOST_SECONDS + 5
                yield one

    monkeypatch.setattr(question_worker, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(warm_worlds, "simulation_class", lambda: OpensLong)
    monkeypatch.setattr(why_pending, "ASKED_SECONDS", 0.0)
    warm_worlds.forget_worlds()
    first = asked(snapshot, SECONDS)
    assert (len(first.left), first.can_go_on) == (2, True)
    assert asked(snapshot, SECONDS, longer=True).left == []
    warm_worlds.forget_worlds()


@pytest.mark.django_db
def test_a_worker_stops_when_its_question_was_ended_or_deleted(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: Any) -> Any:
        why_pending.end(snapshot)
        raise execution.Interrupted

    warm_worlds.forget_worlds()
    monkeypatch.setattr(warm_worlds, "imported_of", ended)
    found = asked(snapshot, SECONDS)
    assert (found.is_ready, found.ended, found.found, found.untried) == (True, True, [], "")


@pytest.mark.django_db
def test_what_nodes_say_beyond_the_bound_is_found_again_for_who_asks(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = asked(snapshot, SECONDS)
    Question.objects.all().delete()
    monkeypatch.setattr(question_worker, "MARKS_BYTES", 0)
    cut = asked(snapshot, SECONDS)
    assert causes(cut) == causes(whole)
    assert not cut.mapped
    again = asked(snapshot, SECONDS, pod="shop/big-2")
    one = next(one for one in again.found if "big-2" in one.pods.names)
    same = next(other for other in whole.found if other.pods == one.pods)
    marks = again.with_nodes(one).answered.marks
    assert marks.names == ["a", "b", "c", "gpu"]
    assert causes(again) == causes(whole)
    assert len(again.found) == len(whole.found)
    assert same.pods.first in whole.mapped


@pytest.mark.django_db
def test_answers_that_nobody_reads_make_room_for_others(
    alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(snapshot, SECONDS)
    other = imported(alice, *CLUSTER, name="other")
    monkeypatch.setattr(question_worker, "STORED_BYTES", 0)
    asked(other, SECONDS)
    assert [one.snapshot_id for one in Question.objects.all()] == [other.pk]


@transactional
def test_a_question_of_another_engine_is_left_to_it_and_ends_unanswered_once_that_is_gone(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    monkeypatch.setattr(dispatch, "send_question", lambda number: True)
    asked(snapshot)
    question = Question.objects.get()
    assert question.engine == engine_version()
    Question.objects.update(engine="another")
    soon = timezone.now() + timedelta(seconds=60)
    other: dict[str, Any] = {"name": "answerer", "owner": "elsewhere:1:1", "engine": "another"}
    there = WorkingPart.objects.create(absent_at=soon, **other)
    answer_question(question.pk)
    question.refresh_from_db()
    assert (question.status, question.owner) == ("asked", "")
    there.delete()
    answer_question(question.pk)
    question.refresh_from_db()
    assert (question.status, question.tried) == ("answered", 0)
    assert question.untried == "It was asked of engine another, which no worker has any more."


def test_a_question_that_costs_worker_after_worker_ends_with_a_sentence(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "send_question", lambda pk: True)
    asked(snapshot)
    for _ in range(LOSS_LIMIT):
        Question.objects.update(owner=DEAD, heartbeat_at=timezone.now())
        reap()
    assert "given up after 5 workers in a row" in asked(snapshot).untried


# -- packing -----------------------------------------------------------------------------------------------

ARRAYS = ("first", "number", "short", "rank")
_numbers = st.integers(-(2**62), 2**62) | st.integers(-3, 200)


@st.composite
def _marks(draw: st.DrawFn) -> Marks:
    nodes = draw(st.integers(1, 12))

    def integers() -> Any:
        return np.array(draw(st.lists(_numbers, min_size=nodes, max_size=nodes)), dtype=np.int64)

    def against(place: int) -> Against:
        mask = np.array(draw(st.lists(st.booleans(), min_size=nodes, max_size=nodes)), dtype=np.bool_)
        wanted = Wanted("Insufficient cpu", "cpu", draw(_numbers), integers(), integers())
        return Against(place, mask, draw(st.sampled_from([None, wanted])))

    names = [f"node-{number}" for number in range(nodes)]
    return Marks(
        names,
        *(integers() for _ in ARRAYS),
        [against(place) for place in range(draw(st.integers(0, 3)))],
    )


@given(st.lists(_marks(), max_size=4))
def test_marks_come_back_as_they_were(marks: list[Marks]) -> None:
    packed = pack_marks(enumerate(marks))
    for place, one in enumerate(marks):
        back = unpack_marks(packed, place)
        assert back.names == one.names
        assert {one.name for one in fields(Marks)} == {*ARRAYS, "names", "against"}
        for field in ARRAYS:
            np.testing.assert_array_equal(getattr(back, field), getattr(one, field))
            assert getattr(back, field).dtype == np.int64
        for mine, other in zip(back.against, one.against, strict=True):
            assert (mine.place, mine.mask.tolist()) == (other.place, other.mask.tolist())
            assert (mine.wanted is None) == (other.wanted is None)
            if mine.wanted is not None and other.wanted is not None:
                nodes = range(len(one.names))
                assert [mine.wanted.at(node) for node in nodes] == [other.wanted.at(node) for node in nodes]
    assert unpack_marks(packed, len(marks)).names == []
