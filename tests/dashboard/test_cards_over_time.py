"""The cards of a run while its pods come: by hand, held to a naive count of every state, and on long logs."""

from collections.abc import Iterable
from typing import Any

import pytest

from dashboard.kinds.cards_over_time import BINS, cards_over_time, left_of
from dashboard.services.results.axis import End
from dashboard.services.results.over_time import OverTime
from scheduler_core.events.decisions import Decision
from scheduler_core.events.effects import effects
from scheduler_core.events.state import RunState
from scheduler_core.hami.configuration.kube_scheduler import build_with_hami
from scheduler_core.hami.measures.asked_cards import Asked
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.setting_up.preparation import pods_of
from tests.browser.hami_clusters import asking, machine
from tests.dashboard.test_over_time import arriving, states_of

MEMORY = 10_000


def node(name: str, count: int, cpu: str = "8") -> dict[str, Any]:
    made = machine(name, "gpu", count, "NVIDIA-T4", MEMORY)
    made["status"]["allocatable"]["cpu"] = cpu
    return made


def pod(name: str, cpu: str = "1", number: int = 1, memory: int = 6000) -> dict[str, Any]:
    made = asking(name, memory, 10, number=number)
    resources = made["spec"]["containers"][0]["resources"]
    resources["requests"]["cpu"] = cpu
    if not number:
        resources["limits"], resources["requests"] = {}, {"cpu": cpu}
        made["spec"]["schedulerName"] = "hami-scheduler"
    return made


def played(*objects: dict[str, Any], **more: Any) -> tuple[RunState, list[Decision]]:
    simulation = Simulation(RunInput(objects=list(objects), profile="hami-2.10", controllers="none", **more))
    return simulation.base, list(simulation)


def cards(base: RunState, decisions: list[Decision], pods: Iterable[dict[str, Any]] = ()) -> Any:
    asked = Asked(build_with_hami(None), pods)
    series = OverTime(base, End(decisions[-1].seq, decisions[-1].time), cards_over_time(asked))
    for decision in decisions:
        series.add(decision, list(effects(decision.changes)))
    return series.document()["cards"]


def test_a_small_cluster_by_hand() -> None:
    """Two cards on a, one on b; half of the tasks ask for 600 of 1000, a quarter for two such, one for none.

    At first the pair is lost on b's 1000, and all 3000 for the one without cards: (1000 + 3000) / 4 of 3000.
    Once b has no CPU left, its 1000 are lost for all.
    """
    pods = [pod("a-1"), pod("a-2"), pod("b-pair", number=2), pod("c-none", cpu="8", number=0)]
    base, decisions = played(node("a", 2), node("b", 1), *pods)
    assert [(one.outcome, one.chosen) for one in decisions] == [  # type: ignore[union-attr]
        ("scheduled", "a"), ("scheduled", "a"), ("unschedulable", None), ("scheduled", "b"),
    ]  # fmt: skip
    found = cards(base, decisions)
    assert found["seq"] == [0, 1, 2, 3, 4]
    assert found["arrived"] == [0, 20, 40, 80, 80]
    assert found["allocated"] == [0, 20, 40, 40, 40]
    lost = [1000, 0.5 * 400 + 0.25 * (2400 + 2400), 0.5 * 800 + 0.25 * (1800 + 1800)]
    lost += [lost[2], 0.5 * 1800 + 0.25 * (1800 + 1800)]
    assert found["fragmentation"] == [round(milli / 30, 2) for milli in lost]
    assert found["waiting"] == [0, 0, 0, 1, 1]
    assert (found["nodes"], found["idle"]) == ([0, 1, 1, 1, 1], [3, 2, 1, 1, 1])
    assert found["cards"] == 3
    assert [(row["number"], row["memory"], row["part"]) for row in found["shapes"]] == [
        (1, 6000, 0.5), (2, 6000, 0.25), (0, 0, 0.25),
    ]  # fmt: skip


def figures_of(*objects: dict[str, Any]) -> Any:
    pods = pods_of(RunInput(objects=list(objects), profile="hami-2.10"))
    return cards(*played(*objects), pods)


def of_containers(name: str, *limits: dict[str, Any]) -> dict[str, Any]:
    made = pod(name)
    image = made["spec"]["containers"][0]["image"]
    made["spec"]["containers"] = [
        {"name": f"c{place}", "image": image, "resources": {"limits": asked, "requests": asked}}
        for place, asked in enumerate(limits)
    ]
    return made


def test_containers_ask_one_by_one() -> None:
    """Three cards of 6000 MiB and one of 2000, of 10000 each: 2000 thousandths, not four times 20000 MiB."""
    one = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 6000}
    less = one | {"nvidia.com/gpumem": 2000}
    found = figures_of(node("a", 4), of_containers("several", one, one, one, less))
    assert found["arrived"][-1] == 50
    assert [(row["number"], row["memory"]) for row in found["shapes"]] == [(4, 6000)]


@pytest.mark.parametrize("number", [{}, {"nvidia.com/gpu": 1}])
def test_limits_alone_ask_for_cards_also_where_the_webhook_adds_their_number(number: dict[str, Any]) -> None:
    made = pod("limits")
    made["spec"]["containers"][0]["resources"] = {"limits": {"nvidia.com/gpumem": 6000, **number}}
    found = figures_of(node("a", 4), made)
    assert found["arrived"][-1] == 15
    assert [(row["number"], row["memory"]) for row in found["shapes"]] == [(1, 6000)]


def test_an_init_container_that_asks_for_more_counts_in_place_of_the_others() -> None:
    made = of_containers("first", {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 6000}, {"nvidia.com/gpu": 1})
    made["spec"]["initContainers"] = made["spec"]["containers"][:1]
    made["spec"]["containers"] = made["spec"]["containers"][1:]
    found = figures_of(node("a", 4), made)
    assert found["arrived"][-1] == 30
    assert [(row["number"], row["memory"]) for row in found["shapes"]] == [(2, 6000)]


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_each_point_is_what_a_naive_count_of_its_state_says(driver: str) -> None:
    objects = [node("a", 4), node("b", 2, cpu="3"), node("c", 1)]
    pods = [
        pod(f"p-{number:02}", str(1 + number % 3), number % 3, 1500 + 700 * (number % 7))
        for number in range(24)
    ]
    if driver == "instant":
        base, decisions = played(*objects, *pods)
    else:
        edits = [
            arriving(made, float(place), **({} if place % 4 else {"duration": 9}))
            for place, made in enumerate(pods)
        ]
        edits.append({"op": "drain", "node": "b", "at": 15})
        base, decisions = played(*objects, driver="timed", edits=edits, until=60.0)
    found = cards(base, decisions)
    shapes = {
        (row["cpu"], row["number"], row["milli"], row["memory"]): row["part"] for row in found["shapes"]
    }
    states = {state.at: state for state in states_of(base, decisions)}
    assert len(found["seq"]) > 20
    for place, seq in enumerate(found["seq"]):
        free, lost, used = naive(states[seq], shapes)
        assert found["allocated"][place] == pytest.approx(100 * (1 - free / 7000), abs=0.01)
        assert found["fragmentation"][place] == pytest.approx(lost / 70, abs=0.01)
        assert (found["nodes"][place], found["idle"][place]) == used
    assert sorted(found["arrived"]) == found["arrived"]
    assert max(found["waiting"]) > 0


def naive(state: RunState, shapes: dict[tuple[int, ...], float]) -> tuple[int, float, tuple[int, int]]:
    """What is free and lost, in thousandths, and how many nodes are used and cards idle."""
    free, lost, used, idle = 0, 0.0, 0, 0
    for row in state.nodes():
        here = [card for card in state.tables["cards"].values() if card["node"] == row.name]
        pods = [one for one in state.pods() if one.node == row.name]
        cpu = row.allocatable["cpu"] - sum(one.requests.get("cpu", 0) for one in pods)
        room = [1000 - max(card["used_memory"] / 10, card["used_cores"] * 10) for card in here]
        for (asked, number, milli, memory), part in shapes.items():
            fitting = [left for left in room if number and left >= max(milli, memory / 10)]
            fits = cpu >= asked and len(fitting) >= number > 0
            lost += part * (sum(room) - (sum(fitting) if fits else 0))
        free += sum(room)
        used += any(card["used"] for card in here)
        idle += sum(not card["used"] for card in here)
    return free, lost, (used, idle)


def test_a_long_log_comes_to_a_bounded_number_of_points() -> None:
    base, decisions = played(node("a", 8, "64"), *(pod(f"p-{n:03}", "10m", memory=10) for n in range(600)))
    found = cards(base, decisions)
    assert len(decisions) == 600
    assert BINS < len(found["seq"]) <= BINS + 2
    assert (found["seq"][0], found["seq"][-1]) == (0, 600)


def test_a_run_without_cards_has_no_figures_of_them() -> None:
    bare = machine("cpu", "cpu", 0, "", 0)
    assert cards(*played(bare, pod("p", number=0))) is None


def test_a_copy_of_an_evicted_pod_is_no_new_arrival() -> None:
    low = [pod(f"low-{number}", cpu="4") for number in range(2)]
    for one in low:
        one["metadata"]["ownerReferences"] = [
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "low", "uid": "low", "controller": True}
        ]
    late = arriving(pod("other", cpu="1"), 50.0)
    simulation = Simulation(
        RunInput(
            objects=[node("a", 2), *low],
            profile="hami-2.10",
            driver="timed",
            until=90.0,
            edits=[{"op": "drain", "node": "a", "at": 30}, late],
        )
    )
    decisions = list(simulation)
    found = cards(simulation.base, decisions)
    assert sum(one.outcome == "evicted" for one in decisions) == 2
    assert (found["arrived"][-1], found["waiting"][-1], found["allocated"][-1]) == (90, 3, 0)
    assert [(row["cpu"], row["part"]) for row in found["shapes"]] == [(4000, 0.666667), (1000, 0.333333)]


@pytest.mark.parametrize(
    ("changed", "left"),
    [
        ({}, (1000, True)),
        ({"used": 1, "used_memory": 2500, "used_cores": 30}, (700, True)),
        ({"used": 1, "used_memory": 7500, "used_cores": 30}, (250, True)),
        ({"used": 10, "used_memory": 1000}, (900, False)),
        ({"health": False}, (1000, False)),
        ({"memory": 0, "cores": 0, "slots": 4, "used": 1}, (750, True)),
        ({"used": 1, "used_memory": 12_000}, (0, True)),
    ],
)
def test_what_is_left_of_a_card(changed: dict[str, Any], left: tuple[int, bool]) -> None:
    row = {"memory": MEMORY, "cores": 100, "slots": 10, "used": 0, "used_memory": 0, "used_cores": 0}
    found = left_of({**row, "health": True, **changed})
    assert (found.milli, found.takes) == left
