"""A run over time, held to a naive fold of its whole log; and what is left of very long logs."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.services.results.axis import End
from dashboard.services.results.over_time import BINS, over_time
from dashboard.services.results.pools_over_time import NO_POOL
from dashboard.services.results.waits import nearest_rank
from dashboard.views.over_time_charts import QUEUE_LOOKS
from dashboard.views.over_time_tables import OVER_TIME_TABLES
from scheduler_core.events.decisions import Decision
from scheduler_core.events.fold import Fold
from scheduler_core.events.state import PodRow, RunState
from scheduler_core.world import RunInput, Simulation
from tests.dashboard.rows import node, pod
from tests.fakes import FakeSimulation
from tests.portions import tries

CLASSES = ["low", "middle", "high"]
Play = tuple[RunState, list[Decision], End]


def arriving(document: dict[str, Any], at: float, **more: Any) -> dict[str, Any]:
    """The edit by which an object comes at a second of the run."""
    metadata = {
        key: document["metadata"][key]
        for key in document["metadata"]
        if key in ("name", "namespace", "labels")
    }
    return {"op": "add", "at": at, "manifest": {**document, "metadata": metadata}, **more}


def played(
    objects: list[dict[str, Any]], edits: list[dict[str, Any]], driver: str = "timed", **more: Any
) -> Play:
    simulation = Simulation(RunInput(objects=objects, edits=edits, driver=driver, **more))
    decisions = list(simulation)
    last = decisions[-1] if decisions else None
    seq, time = (last.seq, last.time) if last else (0, simulation.base.time)
    return simulation.base, decisions, End(seq, time)


def states_of(base: RunState, decisions: list[Decision]) -> list[RunState]:
    """Every state of a run, that before the first decision included."""
    fold = Fold(base)
    states = [base]
    for decision in decisions:
        fold.apply(decision)
        states.append(fold.state())
    return states


def place_of(state: RunState) -> int:
    return state.at if state.time is None else state.time


def lengths(state: RunState) -> Counter[str]:
    return Counter(part for _, part in state.waiting())


def amounts(state: RunState, pool: str, resource: str) -> tuple[int, int]:
    """What is requested and allocatable on the nodes of a pool: `""` is all, else the label `pool`."""
    names = [row.name for row in state.nodes() if pool == "" or row.labels.get("pool", NO_POOL) == pool]
    allocatable = sum(row.allocatable.get(resource, 0) for row in state.nodes() if row.name in names)
    return sum(row.requests.get(resource, 0) for row in state.pods() if row.node in names), allocatable


def naive_waits(states: list[RunState]) -> tuple[list[int], list[int], int]:
    """(waits that ended on a node, waits that last, how many left), each pod followed through all states."""
    since: dict[str, int] = {}
    ended: list[int] = []
    left = 0
    done: set[str] = set()
    for state in states:
        rows: dict[str, PodRow] = {row.uid: row for row in state.pods()}
        # Who comes and is placed by one decision has waited for nothing; the log never does that.
        for uid, _ in state.waiting():
            if uid not in done:
                since.setdefault(uid, place_of(state))
        for uid in [uid for uid in since if uid not in done]:
            if uid not in rows:
                left += 1
                done.add(uid)
            elif rows[uid].node:
                ended.append(place_of(state) - since[uid])
                done.add(uid)
    waiting = [place_of(states[-1]) - since[uid] for uid in since if uid not in done]
    return sorted(ended), sorted(waiting), left


def check(play: Play) -> None:
    """Everything that the document says is what the states say."""
    base, decisions, end = play
    found = over_time(base, iter(decisions), end)
    states = states_of(base, decisions)
    queue, requested = found["queue"], found["requested"]
    assert (queue["seq"][0], queue["seq"][-1]) == (base.at, end.seq)
    for index, (seq, time) in enumerate(zip(queue["seq"], queue["time"], strict=True)):
        state = states[seq]
        assert state.time == time
        assert {part: counts[index] for part, counts in queue["parts"].items() if counts[index]} == lengths(
            state
        )
    totals = [lengths(state).total() for state in states]
    assert queue["longest"]["pods"] == max(totals)
    assert queue["longest"]["seq"] == totals.index(max(totals))
    assert max(map(sum, zip(*queue["parts"].values(), strict=True))) == max(totals)
    for series in requested["series"]:
        for index, seq in enumerate(requested["seq"]):
            assert (series["requested"][index], series["allocatable"][index]) == amounts(
                states[seq], series["pool"], series["resource"]
            )
    for row in found["pools"]:
        check_figure(row, states)
    ended, waiting, left = naive_waits(states)
    everybody = found["waits"]["all"]
    for side, values in (("placed", ended), ("waiting", waiting)):
        spread = everybody[side]
        assert spread["count"] == len(values)
        assert spread["median"] == nearest_rank(values, 50)
        assert (spread["longest"] or {}).get("wait") == (values[-1] if values else None)
    assert everybody["left"] == left
    for rows in (found["waits"]["by_priority"], found["waits"]["by_workload"]):
        assert sum(row["placed"]["count"] for row in rows) == len(ended)
        assert sum(row["waiting"]["count"] for row in rows) == len(waiting)


def check_figure(row: dict[str, Any], states: list[RunState]) -> None:
    pairs = [amounts(state, row["pool"], row["resource"]) for state in states]
    assert (row["requested"], row["allocatable"]) == pairs[-1]
    shares = [requested / allocatable for requested, allocatable in pairs if allocatable]
    if shares:
        assert row["most"] == in_percent(max(shares))
        requested, allocatable = pairs[row["seq"]]
        assert row["most"] == in_percent(requested / allocatable)
    areas = [0, 0]
    for state, later, pair in zip(states, states[1:], pairs, strict=False):
        for side in (0, 1):
            areas[side] += pair[side] * (place_of(later) - place_of(state))
    assert row["mean"] == (in_percent(areas[0] / areas[1]) if areas[1] else None)


def in_percent(share: float) -> float:
    """To a tenth, and more exactly what is less than that."""
    return round(100 * share, 1) if 100 * share > 0.05 else round(100 * share, 3)


@st.composite
def timelines(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Pods and nodes that come and go within a minute."""
    instants = st.integers(0, 60_000).map(lambda milliseconds: milliseconds / 1000)
    edits = [
        arriving(
            pod(
                f"late-{number}",
                cpu=draw(st.sampled_from(["500m", "1", "3"])),
                priorityClassName=draw(st.sampled_from(CLASSES)),
            ),
            draw(instants),
            **({"duration": draw(st.integers(1, 40))} if draw(st.booleans()) else {}),
        )
        for number in range(draw(st.integers(0, 6)))
    ]
    for number in range(draw(st.integers(0, 2))):
        comes = draw(instants)
        edits.append(arriving(node(f"more-{number}", cpu="2", pool=draw(st.sampled_from(["a", "b"]))), comes))
        if draw(st.booleans()):
            edits.append({"op": "delete", "kind": "Node", "name": f"more-{number}", "at": comes + 7.5})
    if draw(st.booleans()):
        edits.append({"op": "drain", "node": "node-1", "at": draw(instants)})
    if draw(st.booleans()):
        patch = {"metadata": {"labels": {"pool": "b"}}}
        edits.append({"op": "patch", "kind": "Node", "name": "node-2", "patch": patch, "at": draw(instants)})
    return edits


CLUSTER = [
    *(
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": name},
            "value": value,
        }
        for value, name in enumerate(CLASSES)
    ),
    node("node-1", cpu="2", pool="a"),
    node("node-2", cpu="1"),
    pod("on", node="node-1", cpu="500m"),
    pod("waits", cpu="64"),
    pod("small", cpu="250m", priority=5),
]


@settings(max_examples=tries(30))
@given(timelines())
def test_a_run_with_a_clock_is_what_a_naive_fold_says(edits: list[dict[str, Any]]) -> None:
    check(played(CLUSTER, edits, until=90.0))


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_a_run_of_one_state_only_is_what_a_naive_fold_says(driver: str) -> None:
    check(played([node("node-1")], [], driver))


def test_without_a_clock_the_axis_is_the_decision() -> None:
    class Script:
        config = {"pods": 500, "nodes": 7}

    simulation = FakeSimulation(Script)
    base = simulation.base
    decisions = list(simulation)
    check((base, decisions, End(500, None)))
    found = over_time(base, decisions, End(500, None))
    assert (found["axis"], found["start"], found["end"]) == ("decision", 0, 500)
    assert found["queue"]["time"] == [None] * len(found["queue"]["seq"])
    preempting = sum(decision.outcome == "nominated" for decision in decisions)
    assert sum(mark["pods"] for mark in found["evictions"]) == preempting > 0
    assert found["waits"]["all"]["placed"]["longest"]["pod"] == "shop/cart-500"


@pytest.mark.parametrize("gated", [3, 2 * BINS])
def test_without_a_clock_gated_pods_wait_from_the_start(gated: int) -> None:
    """Each is told of by a decision of its own, the first ones of the run."""
    gates = [{"name": "example.com/quota"}]
    held = [pod(f"held-{number}", schedulingGates=gates) for number in range(gated)]
    free = [pod("web"), pod("huge", cpu="64")]
    found = over_time(*played([node("node-1"), *held, *free], [], "instant"))
    parts, last = found["queue"]["parts"], gated + 2
    assert set(parts["gated"]) == {gated}
    assert [parts["active"][0], parts["unschedulable"][-1]] == [2, 1]
    assert found["queue"]["longest"] == {"seq": 0, "time": None, "pods": gated + 2}
    placed = found["waits"]["all"]["placed"]["longest"]["wait"]
    assert found["queue"]["mean"] == round(((gated + 1) * last + placed) / last, 2)
    assert found["waits"]["all"]["waiting"]["median"] == last
    assert found["waits"]["all"]["waiting"]["count"] == gated + 1


def test_a_log_of_any_length_comes_to_as_many_points_and_a_short_jam_stays() -> None:
    """All pods are there at once for a moment of a long run, between two of its parts' ends."""

    class Script:
        config = {"pods": 30 * BINS, "nodes": 3}

    simulation = FakeSimulation(Script)
    found = over_time(simulation.base, list(simulation), End(30 * BINS, None))
    assert len(found["queue"]["seq"]) <= 2 * BINS + 2
    assert len(found["requested"]["seq"]) <= BINS + 2
    jam = [arriving(pod(f"jam-{number}", cpu="10m"), 40.0, duration=1) for number in range(20)]
    base, decisions, end = played([node("node-1")], [*jam, arriving(pod("last"), 86_000.0)], until=86_400.0)
    queue = over_time(base, decisions, end)["queue"]
    assert queue["longest"] == {"seq": 20, "time": 40_000, "pods": 20}
    assert max(queue["parts"]["active"]) == 20


def test_a_run_that_its_end_cut_off_waits_until_there() -> None:
    base, decisions, _ = played([node("node-1"), pod("huge", cpu="64")], [], until=30.0)
    assert decisions[-1].time == 10
    found = over_time(base, decisions, End(decisions[-1].seq, 30_000))
    assert found["end"] == 30_000
    assert found["waits"]["all"]["waiting"]["longest"]["wait"] == 30_000
    assert found["queue"]["mean"] == 1


def test_nodes_without_a_pool_are_one_beside_others_and_nothing_by_themselves() -> None:
    some = over_time(*played([node("node-1", pool="a"), node("node-2")], []))
    none = over_time(*played([node("node-1"), node("node-2")], []))
    assert {row["pool"] for row in some["pools"]} == {"", "a", NO_POOL}
    assert {row["pool"] for row in none["pools"]} == {""}


def test_the_highest_share_is_that_of_the_first_decision_that_came_to_it() -> None:
    """Two thirds are asked for twice, and less before, between and after."""
    coming = [
        arriving(pod("small", cpu="1"), 1.0, duration=5),
        arriving(pod("first", cpu="2"), 10.0, duration=5),
        arriving(pod("again", cpu="2"), 20.0, duration=5),
        arriving(pod("less", cpu="1"), 30.0),
    ]
    base, decisions, end = played([node("node-1", cpu="3")], coming, until=60.0)
    [placed] = [one for one in decisions if one.outcome == "scheduled" and one.pod.name == "first"]
    [row] = [
        row
        for row in over_time(base, decisions, end)["pools"]
        if (row["pool"], row["resource"]) == ("", "cpu")
    ]
    assert (row["most"], row["end"]) == (66.7, 33.3)
    assert (row["seq"], row["time"]) == (placed.seq, placed.time)


def test_edits_with_an_instant_are_marked_by_their_first_decision() -> None:
    play = played([node("node-1")], [arriving(pod("b"), 2.0), arriving(pod("a"), 1.0)])
    marks = over_time(*play)["edits"]
    assert [(mark["edit"], mark["time"]) for mark in marks] == [(1, 1000), (0, 2000)]


def test_the_nearest_rank_is_a_value_that_was_there() -> None:
    assert [nearest_rank([1, 2, 3, 4], percent) for percent in (50, 90, 100)] == [2, 4, 4]
    assert nearest_rank([], 50) is None
    assert nearest_rank([7], 90) == 7


def test_the_file_of_the_queue_has_every_part_that_the_chart_draws() -> None:
    columns, rows_of = OVER_TIME_TABLES["queue"]
    parts = {part: [number] for number, part in enumerate(QUEUE_LOOKS)}
    [row] = rows_of({"queue": {"seq": [1], "time": [None], "parts": parts}})
    cells = {column.name: column.value(row) for column in columns}
    assert [cells.get(part) for part in QUEUE_LOOKS] == list(range(len(QUEUE_LOOKS)))
    assert cells["waiting"] == sum(range(len(QUEUE_LOOKS)))
