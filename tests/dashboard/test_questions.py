"""Questions of any kind: answered once by a worker for all who ask, on a cluster that all kinds share."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from dashboard.engine import input_without_objects
from dashboard.models import Question, Snapshot
from dashboard.services.background import answerer, dispatch, warm_worlds
from dashboard.services.background.lost_work import LOSS_LIMIT, release_questions
from dashboard.services.background.question_worker import answer_question
from dashboard.services.questions import more_fit, rows, stored_questions, would_fit
from dashboard.services.questions.registry import KINDS
from dashboard.services.questions.stored_questions import Told, ask, end
from dashboard.services.workspace.scenarios import draft_scenario
from dashboard.services.workspace.why_pending import asked
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.trial_result import TrialResult
from tests.dashboard import tried_question
from tests.dashboard.test_question_worker import DEAD
from tests.dashboard.test_why_pending import CLUSTER, imported

pytestmark = pytest.mark.django_db

CORDON = {"edits": [{"op": "cordon", "node": "gpu"}], "pods": [CLUSTER[5]["metadata"]["uid"]]}


@pytest.fixture
def snapshot(alice: Any, monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    monkeypatch.setitem(KINDS, "tried", tried_question.KIND)
    warm_worlds.forget_worlds()
    return imported(alice, *CLUSTER, name="questions")


def played(snapshot: Snapshot) -> RunInput:
    return input_without_objects(draft_scenario({"snapshot": snapshot}))


def told_of(snapshot: Snapshot, what: Any = CORDON, **more: Any) -> Told[TrialResult]:
    return ask(tried_question.KIND, snapshot, played(snapshot), what, **more)


def test_a_question_is_answered_once_for_all_who_ask_and_shares_the_cluster_with_why_pods_wait(
    alice: Any, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(snapshot).is_ready
    monkeypatch.setattr(warm_worlds, "imported_of", lambda snapshot: pytest.fail("it is built again"))
    told = told_of(snapshot)
    assert told.answer is not None
    assert (told.is_ready, told.problems, told.fault, told.stage) == (True, None, "", "")
    assert (told.answer.edits[0].sentence, told.answer.decisions) == ("cordon gpu", 4)
    assert [one.pod.name for one in told.answer.pods] == ["big-1"]
    monkeypatch.setattr(dispatch, "send_question", lambda pk: pytest.fail("it is asked again"))
    twin = Snapshot.objects.get(pk=imported(alice, *CLUSTER, name="twin").pk)
    assert told_of(twin).answer == told.answer
    assert Question.objects.filter(kind="tried").count() == 1


def test_what_is_wrong_with_what_was_asked_is_told_and_the_cluster_stays(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_of(snapshot, {"edits": [{"op": "cordon", "node": "nowhere"}]})
    assert (told.is_ready, told.answer) == (True, None)
    assert told.problems is not None
    assert [one["message"] for one in told.problems] == ["there is no Node nowhere"]
    monkeypatch.setattr(warm_worlds, "imported_of", lambda snapshot: pytest.fail("it is built again"))
    assert told_of(snapshot).answer is not None


def test_a_reader_ends_it_and_asks_again(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        assert not told_of(snapshot).is_ready
        end(tried_question.KIND, snapshot, played(snapshot), CORDON)
        told = told_of(snapshot)
    assert (told.is_ready, told.ended, told.answer) == (True, True, None)
    assert told_of(snapshot).ended, "nobody wants it again"
    assert told_of(snapshot, again=True).answer is not None


def test_a_question_that_waits_says_how_many_are_before_it_and_can_be_ended(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_questions, "PATIENT_SECONDS", 0.0)
    monkeypatch.setattr(rows.attendance, "present_parts", lambda: {rows.attendance.ANSWERER})

    def sent(pk: int) -> bool:
        return bool(Question.objects.filter(pk=pk).update(dispatched_at=timezone.now()))

    monkeypatch.setattr(dispatch, "send_question", sent)
    whats = [{**CORDON, "most": number} for number in range(3)]
    first, second, third = whats
    assert told_of(snapshot, first).stage == "It waits for the worker that answers, and is the next one."
    for what in (second, third):
        told_of(snapshot, what)
    assert told_of(snapshot, third).stage == "It waits: 2 questions before this one."
    begun = timezone.now() - timedelta(seconds=34)
    monkeypatch.setattr(rows, "timezone", SimpleNamespace(now=lambda: begun + timedelta(seconds=34)))
    Question.objects.filter(pk=Question.objects.earliest("pk").pk).update(
        owner="other:1:2:3", heartbeat_at=timezone.now(), dispatched_at=begun
    )
    assert told_of(snapshot, third).stage == (
        "It waits: 2 questions before this one; the first has run for 34 s."
    )
    end(tried_question.KIND, snapshot, played(snapshot), second)
    assert told_of(snapshot, second).ended
    assert told_of(snapshot, third).stage == "It waits: 1 question before this one; it has run for 34 s."
    end(tried_question.KIND, snapshot, played(snapshot), third)
    assert told_of(snapshot, third).ended


def test_a_question_that_a_worker_has_says_since_when(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = timezone.now() - timedelta(hours=1)
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        told_of(snapshot)
    Question.objects.update(dispatched_at=sent)
    seen = []
    monkeypatch.setitem(
        KINDS,
        "tried",
        replace(
            tried_question.KIND,
            answer=lambda *of: (
                seen.append(Question.objects.get().dispatched_at) or tried_question.KIND.answer(*of)
            ),
        ),
    )
    answer_question(Question.objects.get().pk)
    assert seen[0] > sent


def test_what_a_lost_worker_had_done_is_not_told_of_an_answer_that_begins_anew(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        told_of(snapshot)
        at_it = {"stage": "asking", "tried": 5818, "heartbeat_at": timezone.now()}
        Question.objects.update(owner="other:1:2:3", **at_it)
        assert told_of(snapshot).done == 5818
        Question.objects.update(owner=DEAD)
        release_questions(Question.objects.all())
        assert told_of(snapshot).done == 0
        Question.objects.update(owner="other:1:2:3", stage="building", heartbeat_at=timezone.now())
        assert told_of(snapshot).done == 0
        Question.objects.update(owner="", heartbeat_at=None)
    seen = []

    def answer(*of: Any) -> Any:
        seen.append(Question.objects.get().tried)
        return tried_question.KIND.answer(*of)

    monkeypatch.setitem(KINDS, "tried", replace(tried_question.KIND, answer=answer))
    answer_question(Question.objects.get().pk)
    assert seen == [0]


def test_a_worker_whose_question_was_ended_leaves_the_answer_out_and_keeps_its_cluster(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answerer, "TOLD_SECONDS", 0.0)
    tell = answerer.Answerer.tell

    def ended(self: answerer.Answerer, done: int, of: int) -> None:
        tell(self, done, of)
        assert Question.objects.get().tried == 1
        end(tried_question.KIND, snapshot, played(snapshot), CORDON)

    with monkeypatch.context() as patched:
        patched.setattr(answerer.Answerer, "tell", ended)
        told = told_of(snapshot)
    assert (told.is_ready, told.ended, told.answer, told.done) == (True, True, None, 1)
    monkeypatch.setattr(warm_worlds, "imported_of", lambda snapshot: pytest.fail("it is built again"))
    again = told_of(snapshot, again=True)
    assert again.answer is not None
    assert again.answer.ended_by == "quiet"


def test_a_question_that_nobody_reads_any_more_lets_those_go_first_that_are_waited_for(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answerer, "TOLD_SECONDS", 0.0)
    long_ago = timezone.now() - timedelta(seconds=answerer.UNREAD_SECONDS + 60)
    tell = answerer.Answerer.tell
    other = {**CORDON, "most": 7}

    def left(self: answerer.Answerer, done: int, of: int) -> None:
        tell(self, done, of)
        Question.objects.filter(pk=self.question.pk).update(used_at=long_ago)

    with monkeypatch.context() as patched:
        patched.setattr(answerer.Answerer, "tell", left)
        assert told_of(snapshot).is_ready, "nobody waits for another one"
        Question.objects.all().delete()
        patched.setattr(dispatch, "send_question", lambda pk: False)
        told_of(snapshot, other)
        told_of(snapshot)
        unread = Question.objects.latest("pk")
        answer_question(unread.pk)
    unread.refresh_from_db()
    assert (unread.status, unread.owner, unread.dispatched_at) == ("asked", "", None)
    told = told_of(snapshot)
    assert told.is_ready
    assert told.answer is not None


def test_what_goes_wrong_is_told_and_so_is_what_costs_workers(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(warm_worlds, "imported_of", lambda snapshot: 1 / 0)
        assert told_of(snapshot).fault == "It could not be answered: a run tells it."
    lost = {"owner": DEAD, "heartbeat_at": timezone.now(), "status": "asked", "losses": LOSS_LIMIT - 1}
    Question.objects.update(untried="", **lost)
    release_questions(Question.objects.all())
    assert "was given up after" in told_of(snapshot).fault
    question = Question.objects.get()
    answer_question(question.pk)
    assert told_of(snapshot, again=True).answer is not None


def test_a_cluster_beyond_the_bound_is_not_tried(snapshot: Snapshot, settings: Any) -> None:
    settings.TRIAL_KEPT = 3
    assert "at most 3 are tried here" in told_of(snapshot).fault


def test_what_would_fit_and_how_many_more_are_asked_as_questions(snapshot: Snapshot) -> None:
    pod = CLUSTER[5]["metadata"]["uid"]
    fitting = ask(would_fit.KIND, snapshot, played(snapshot), {"pods": [pod]}).answer
    assert fitting is not None
    assert (fitting.placed, fitting.ended_by) == (0, "done")
    assert fitting.proposals
    assert fitting.trials > 1
    wrong = ask(would_fit.KIND, snapshot, played(snapshot), {"pods": ["nobody"]})
    assert [one["message"] for one in wrong.problems or ()] == ["is no pod of this cluster"]
    small = {"name": "small", "objects": [CLUSTER[5] | {"metadata": {"name": "small"}}]}
    more = ask(more_fit.KIND, snapshot, played(snapshot), {"shapes": [small], "most": 3}).answer
    assert more is not None
    assert [one.shape for one in more.rooms] == ["small"]
