"""The fold of the decision log: forwards, backwards, and the shared vectors."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.events.changes import Appear, Change, Filler, Join, Leave, MoveAll, Set, Vanish
from scheduler_core.events.decisions import Decision, Eviction, PodRef
from scheduler_core.events.fold import Fold, OutOfStep
from scheduler_core.events.state import RunState
from tests.portions import tries

VECTORS = sorted((Path(__file__).parents[2] / "vectors" / "fold").glob("*.json"))


def base() -> RunState:
    """A table of two rows, a dense list of three, and a queue of two parts."""
    return RunState(
        at=0,
        time=None,
        tables={"pods": {"a": {"node": "full", "tries": 1}, "d": {"node": "", "tries": 0}}},
        lists={
            "node_pods": {"full": {"a": 0, "b": 1, "c": 2}},
            "queue/one": {"active": {"d": 3}, "unschedulable": {"x": 1, "y": 4}},
        },
    )


def decision(seq: int, *changes: Change) -> Decision:
    ref = PodRef(uid="d", namespace="shop", name="d", priority=0)
    return Eviction(seq, None, "eviction API", None, list(changes), ref, "evicted", "full", None)


def there_and_back(*changes: Change) -> RunState:
    """Apply one decision, check that reverting it restores the base exactly, return the state between."""
    fold = Fold(base())
    step = decision(1, *changes)
    fold.apply(step)
    between = fold.state()
    fold.revert(step)
    assert fold.state() == base()
    return between


BIND = Set("pods", "d", {"node": ""}, {"node": "free"})
TO_FREE = Join("node_pods", "free", "d", 0)


def test_fields_of_a_row_change_and_the_others_stay():
    assert there_and_back(BIND).tables["pods"]["d"] == {"node": "free", "tries": 0}


def test_a_row_comes_and_goes_and_is_found_by_its_id():
    state = there_and_back(
        Appear("pods", "b", {"node": ""}), Vanish("pods", "a", {"node": "full", "tries": 1})
    )
    assert list(state.tables["pods"]) == ["b", "d"]


def test_a_table_that_nobody_knew_begins_with_its_first_row():
    assert there_and_back(Appear("cards", "0", {"used": 0})).tables["cards"] == {"0": {"used": 0}}


def test_a_member_joins_at_its_order():
    assert there_and_back(TO_FREE).members("node_pods", "free") == ["d"]


def test_the_filler_takes_the_order_of_who_leaves():
    state = there_and_back(Leave("node_pods", "full", "a", 0, Filler("c", 2)))
    assert state.members("node_pods", "full") == ["c", "b"]


def test_who_leaves_without_a_filler_moves_nobody():
    assert there_and_back(Leave("node_pods", "full", "c", 2)).members("node_pods", "full") == ["a", "b"]


def test_all_members_move_at_once_behind_the_others():
    state = there_and_back(MoveAll("queue/one", "unschedulable", "active", 4, 5, 2))
    assert state.lists["queue/one"] == {"active": {"d": 3, "x": 5, "y": 8}}


def test_a_state_does_not_change_with_later_decisions():
    fold = Fold(base())
    before = fold.state()
    fold.apply(decision(1, BIND, TO_FREE))
    assert before == base()


def test_decisions_must_come_in_order():
    fold = Fold(base())
    with pytest.raises(OutOfStep, match="decision 2 doesn't follow decision 0"):
        fold.apply(decision(2))
    with pytest.raises(OutOfStep, match="decision 1 isn't the last one, 0 is"):
        fold.revert(decision(1))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(Set("pods", "nobody", {}, {}), id="a row that isn't there"),
        pytest.param(Set("pods", "a", {"node": "free"}, {"node": ""}), id="another old value"),
        pytest.param(Appear("pods", "a", {}), id="a row that is there"),
        pytest.param(Vanish("pods", "a", {"node": "free"}), id="another row than there is"),
        pytest.param(Join("node_pods", "full", "a", 3), id="a member already"),
        pytest.param(Leave("node_pods", "full", "a", 1), id="another order"),
        pytest.param(MoveAll("queue/one", "unschedulable", "active", 4, 5, 3), id="another number"),
    ],
)
def test_a_change_that_does_not_fit_the_state_is_refused(change: Change):
    with pytest.raises(OutOfStep):
        Fold(base()).apply(decision(1, change))


# -- every verb, whatever the table -----------------------------------------------------------------------

IDS = st.sampled_from("abcdef")


@st.composite
def logs(draw) -> list[Decision]:
    """Decisions that fit, made by drawing a verb and then what the state lets it do."""
    fold, log = Fold(base()), []
    for seq in range(1, draw(st.integers(1, 8)) + 1):
        changes: list[Change] = []
        for _ in range(draw(st.integers(0, 4))):
            trial = Fold(base())
            for earlier in log:
                trial.apply(earlier)
            trial.apply(decision(seq, *changes))
            change = draw(fitting(trial.state()))
            if change is not None:
                changes.append(change)
        step = decision(seq, *changes)
        fold.apply(step)
        log.append(step)
    return log


@st.composite
def fitting(draw, state: RunState) -> Change | None:
    verb, key = draw(st.sampled_from(["set", "appear", "vanish", "join", "leave", "move_all"])), draw(IDS)
    table = draw(st.sampled_from(["pods", "cards"]))
    rows = state.tables.get(table, {})
    name, of = draw(
        st.sampled_from([("node_pods", "full"), ("queue/one", "active"), ("queue/one", "backoff")])
    )
    members = state.lists.get(name, {}).get(of, {})
    match verb:
        case "set" if key in rows:
            field = draw(st.sampled_from(sorted(rows[key]) or ["new"]))
            return Set(table, key, {field: rows[key].get(field)}, {field: draw(st.integers(0, 3))})
        case "appear" if key not in rows:
            return Appear(table, key, {"tries": draw(st.integers(0, 3))})
        case "vanish" if key in rows:
            return Vanish(table, key, rows[key])
        case "join" if key not in members:
            return Join(name, of, key, max(members.values(), default=-1) + draw(st.integers(1, 3)))
        case "leave" if key in members:
            last = max(members, key=members.__getitem__)
            filled = last != key and draw(st.booleans())
            return Leave(name, of, key, members[key], Filler(last, members[last]) if filled else None)
        case "move_all" if name != "node_pods" and members:
            to = "active" if of == "backoff" else "backoff"
            target = state.lists[name].get(to, {})
            if members.keys() & target.keys():
                return None
            first = max([*members.values(), *target.values()]) + 1
            return MoveAll(name, of, to, first - min(members.values()), first, len(members))
    return None


@settings(max_examples=tries(150))
@given(logs())
def test_any_log_folds_forwards_and_back_to_where_it_began(log):
    fold = Fold(base())
    states = [fold.state()]
    for step in log:
        fold.apply(step)
        states.append(fold.state())
    for step in reversed(log):
        assert fold.state() == states.pop()
        fold.revert(step)
    assert fold.state() == base()


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_the_vectors_that_the_browser_shares_hold_in_both_directions(path: Path):
    vector = json.loads(path.read_bytes())
    decisions = msgspec.convert(vector["decisions"], list[Decision])
    expected = {int(seq): msgspec.convert(state, RunState) for seq, state in vector["states"].items()}
    start = msgspec.convert(vector["base"], RunState)
    fold = Fold(start)
    for step in decisions:
        fold.apply(step)
        if step.seq in expected:
            assert fold.state() == expected[step.seq]
    for step in reversed(decisions):
        if step.seq in expected:
            assert fold.state() == expected[step.seq]
        fold.revert(step)
    assert fold.state() == start


def test_there_are_vectors():
    assert VECTORS
