"""Reading a stored log: pages, filters, stops, the time line, states, explanations, a pod's life."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from django.db import connection

from dashboard.errors import NoSuchDecision, NoSuchNode, NotYet, RecordedByOtherEngine, ReplayTooLong
from dashboard.models import Checkpoint, Chunk, Run
from dashboard.models.packing import pack
from dashboard.queries import log, replay
from dashboard.queries.lives import pod_history
from dashboard.queries.process_cache import Kept
from dashboard.services.background import execution
from scheduler_core.events.decisions import encoder
from scheduler_core.events.explanation import AttemptInFull
from scheduler_core.events.fold import OutOfStep
from scheduler_core.events.session_explanation import StepInFull
from tests.dashboard.rows import new_run
from tests.fakes import FakeSimulation

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake_engine")]


@pytest.fixture
def run(alice: Any, monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Run:
    """A finished run of 300 decisions in chunks of 40, with a checkpoint at each."""
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    monkeypatch.setattr(execution, "CHUNK_DECISIONS", 40)
    monkeypatch.setattr(execution, "CHUNK_SECONDS", 10**6)
    monkeypatch.setattr(execution, "CHECKPOINT_SECONDS", 0)
    monkeypatch.setattr(execution, "CHECKPOINT_SHARE", 10**9)
    monkeypatch.setattr(execution, "STATE_SHARE", 10**9)
    run = new_run(alice, pods=300)
    execution.execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished"
    return run


@pytest.fixture
def decisions(run: Run) -> list[Any]:
    """What the engine decided."""
    return list(FakeSimulation(run))


def numbers(lines: list[bytes]) -> list[int]:
    return [msgspec.json.decode(line)["seq"] for line in lines]


@pytest.mark.parametrize(
    ("after", "limit"), [(0, 5000), (0, 1), (39, 2), (40, 40), (299, 5), (300, 5), (0, 0)]
)
def test_pages_follow_one_another_across_chunks(run: Run, after: int, limit: int) -> None:
    assert numbers(log.read_decisions(run, after, limit)) == list(range(after + 1, 301))[:limit]


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"outcome": "unschedulable"}, lambda d: d.outcome == "unschedulable"),
        ({"outcome": "nominated,unschedulable"}, lambda d: d.outcome in ("nominated", "unschedulable")),
        ({"pod": "shop/cart-77"}, lambda d: d.pod.name == "cart-77"),
        ({"pod": "uid-77"}, lambda d: d.pod.uid == "uid-77"),
        ({"pod": "cart-77"}, lambda d: False),
        ({"node": "node-3"}, lambda d: "node-3" in (d.chosen, d.nominated_after)),
        ({"min_priority": 2}, lambda d: d.pod.priority >= 2),
        ({"kind": "attempt", "node": "node-1", "outcome": "nominated"},
         lambda d: d.outcome == "nominated" and d.nominated_after == "node-1"),
        ({"kind": "eviction"}, lambda d: False),
    ],
)  # fmt: skip
def test_filters_choose_and_the_recorded_text_is_returned(
    run: Run, decisions: list[Any], filters: dict[str, Any], wanted: Any
) -> None:
    expected = [encoder.encode(decision) for decision in decisions if wanted(decision)]
    chosen = log.Filters(**filters)
    assert log.read_decisions(run, filters=chosen) == expected
    seqs = numbers(expected)
    assert log.next_stop(run, 100, chosen) == next((seq for seq in seqs if seq > 100), None)
    assert log.previous_stop(run, 100, chosen) == next((seq for seq in reversed(seqs) if seq < 100), None)


def test_one_decision_is_the_recorded_one(run: Run, decisions: list[Any]) -> None:
    for seq in (1, 40, 41, 300):
        assert log.decision(run, seq) == encoder.encode(decisions[seq - 1])
    for seq in (0, -1, 301):
        with pytest.raises(NoSuchDecision):
            log.decision(run, seq)


@pytest.mark.parametrize("buckets", [1, 7, 100, 299, 300, 1000])
def test_the_time_line_counts_every_decision_once(run: Run, decisions: list[Any], buckets: int) -> None:
    line = log.timeline(run, buckets)
    assert len(line["buckets"]) <= buckets
    assert line["buckets"][0]["from"] == 1
    assert line["buckets"][-1]["to"] == 300
    for bucket in line["buckets"]:
        part = [decision.outcome for decision in decisions[bucket["from"] - 1 : bucket["to"]]]
        assert bucket["counts"] == {outcome: part.count(outcome) for outcome in set(part)}
    nominated = [decision.seq for decision in decisions if decision.outcome == "nominated"]
    assert line["preemptions"] == nominated


def test_a_run_that_has_not_begun_has_an_empty_time_line_and_no_state(alice: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    run = new_run(alice)
    assert log.timeline(run) == {"decisions": 0, "buckets": [], "preemptions": [], "preemptions_cut": False}
    with pytest.raises(NotYet):
        log.state_at(run, 0)


def test_the_state_at_any_decision_is_the_engines_state_then(run: Run) -> None:
    simulation = FakeSimulation(run)
    states = [simulation.state()]
    while simulation.step() is not None:
        states.append(simulation.state())
    dice = random.Random(3)
    for at in [0, 300, *(dice.randrange(301) for _ in range(12)), 0]:
        assert log.state_at(run, at) == states[at]
    with pytest.raises(NoSuchDecision):
        log.state_at(run, 301)


def test_a_state_is_folded_from_the_nearest_checkpoint(run: Run) -> None:
    states = {at: log.state_at(run, at) for at in (239, 251, 279, 285)}
    replay.forget_all()
    Chunk.objects.filter(last_seq__lte=240).delete()
    assert [log.state_at(run, at) for at in (285, 279, 251)] == [states[at] for at in (285, 279, 251)]
    with pytest.raises(OutOfStep):
        log.state_at(run, 239)


def test_a_fold_of_a_checkpoint_is_not_asked_for_what_was_before(run: Run) -> None:
    states = [log.state_at(run, at) for at in (41, 39, 79, 81, 78)]
    replay.forget_all()
    Checkpoint.objects.update(state=None)
    assert [log.state_at(run, at) for at in (41, 39, 79, 81, 78)] == states


def name_of(attempt: AttemptInFull | StepInFull | None) -> str:
    """The pod of an attempt in full."""
    assert isinstance(attempt, AttemptInFull)
    return attempt.pod.name


def test_the_state_before_the_first_decision_lies_ready(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "Fold", None)
    assert log.state_json(run, 0) == run.base_json()


def test_a_state_is_told_while_a_decision_of_the_run_is_explained(run: Run) -> None:
    def ask() -> int:
        try:
            return log.state_at(run, 5).at
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool, log.explained(run, 7):
        assert pool.submit(ask).result(timeout=60) == 5


def test_explanations_come_from_the_nearest_checkpoint_and_step_on_from_there(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []
    build = replay.restored
    monkeypatch.setattr(
        replay, "restored", lambda run, seq, kept=None: opened.append(seq) or build(run, seq, kept)
    )
    for seq in (120, 121, 122, 121, 120, 150):
        assert name_of(log.explanation(run, seq)) == f"cart-{seq}"
    assert log.node_explanation(run, 150, "node-2").node == "node-2"
    assert len(log.nodes_explanation(run, 150, 1, 3)) == 3
    assert opened == [80, 120, 80]
    with pytest.raises(NoSuchNode):
        log.node_explanation(run, 150, "node-99")
    for seq in (0, 301):
        with pytest.raises(NoSuchDecision):
            log.explanation(run, seq)


def test_who_steps_back_does_not_begin_at_the_checkpoint_each_time(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Checkpoint.objects.filter(seq__gt=40).delete()
    steps: list[int] = []
    step = FakeSimulation.step
    monkeypatch.setattr(FakeSimulation, "step", lambda self: steps.append(self.seq + 1) or step(self))
    assert name_of(log.explanation(run, 240)) == "cart-240"
    del steps[:]
    for seq in (239, 238, 237):
        assert name_of(log.explanation(run, seq)) == f"cart-{seq}"
    assert min(steps) > 200
    assert name_of(log.explanation(run, 210)) == "cart-210"


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"at": 1}'])
def test_checkpoints_that_are_gone_or_unreadable_cost_only_time(run: Run, content: bytes | None) -> None:
    if content is None:
        Checkpoint.objects.all().delete()
    else:
        Checkpoint.objects.update(data=pack(content))
    assert name_of(log.explanation(run, 299)) == "cart-299"


def test_far_from_any_readable_checkpoint_a_question_ends_and_the_next_one_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Checkpoint.objects.update(data=pack(b"{"))
    steps: list[int] = []
    step = FakeSimulation.step

    def taken(self: FakeSimulation) -> Any:
        steps.append(self.seq + 1)
        if len(steps) % 100 == 0:
            clock.append(clock[-1] + 60)
        return step(self)

    clock = [0]
    monkeypatch.setattr(FakeSimulation, "step", taken)
    monkeypatch.setattr("dashboard.queries.resuming.time.thread_time", lambda: clock[-1])
    for reached in (100, 200):
        with pytest.raises(ReplayTooLong, match=f"come to {reached}"):
            log.explanation(run, 290)
    assert name_of(log.explanation(run, 290)) == "cart-290"
    assert steps == sorted(set(steps))


def test_each_viewer_has_a_simulation_that_stays_warm(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    build = replay.restored
    monkeypatch.setattr(
        replay,
        "restored",
        lambda run, seq, kept=None: opened.append(kept is not None) or build(run, seq, kept),
    )
    for seq in (50, 51, 52):
        assert name_of(log.explanation(run, seq, 1)) == f"cart-{seq}"
        assert name_of(log.explanation(run, seq + 200, 2)) == f"cart-{seq + 200}"
    assert opened == [False, False]
    monkeypatch.setattr(replay, "IDLE_SECONDS", 0)
    assert name_of(log.explanation(run, 150, 3)) == "cart-150"
    assert opened == [False, False, True]


def test_what_is_kept_weighs_no_more_than_it_may_but_for_the_last() -> None:
    kept = Kept(10, 100)
    for number in range(4):
        kept.put("run", number, f"thing {number}", 40)
    assert [kept.take("run", lambda number, wanted=wanted: number == wanted) for wanted in range(4)] == [
        None, None, "thing 2", "thing 3",
    ]  # fmt: skip
    kept.put("run", 1, "light", 10)
    kept.put("run", 2, "heavy", 500)
    assert kept.take("run", lambda number: True) == "heavy"
    assert kept.take("run", lambda number: True) is None


def test_a_run_of_another_engine_is_not_explained(run: Run) -> None:
    Run.objects.update(engine_version="fake-0")
    run.refresh_from_db()
    with pytest.raises(RecordedByOtherEngine, match="fake-0"):
        log.explanation(run, 5)
    assert log.state_at(run, 5).at == 5


def test_a_replay_that_differs_from_the_log_is_no_answer(run: Run) -> None:
    chunk = Chunk.objects.get(run=run, number=2)
    lines = chunk.lines()
    lines[5] = lines[5].replace(b'"attempt":1', b'"attempt":2')
    Chunk.objects.filter(pk=chunk.pk).update(data=pack(b"\n".join(lines)))
    Checkpoint.objects.filter(seq__gt=41).delete()
    assert log.explanation(run, 45)
    for seq in (46, 47):
        with pytest.raises(RecordedByOtherEngine):
            log.explanation(run, seq)


def test_a_pods_life_has_its_attempts_and_who_evicted_it(run: Run, decisions: list[Any]) -> None:
    preemption = next(decision for decision in decisions if decision.outcome == "nominated")
    victim = preemption.preemption.victims[0]
    for named in (f"shop/{victim.name}", victim.uid):
        life = pod_history(run, named)
        assert [(event["what"], event["seq"]) for event in life] == [
            ("attempt", int(victim.uid.removeprefix("uid-"))),
            ("evicted", preemption.seq),
        ]
        assert life[-1]["by"] == f"shop/{preemption.pod.name}"
        assert life[-1]["node"] == preemption.nominated_after
    assert pod_history(run, "shop/nobody") == []
