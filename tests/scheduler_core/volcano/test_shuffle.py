"""shuffle evicts what plugins name: rescheduling pods of busy nodes, pdb all that no budget protects."""

import json

import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.reporting.unplayed import unplayed_parts
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.volcano.small_sessions import action, group, node, pod, queue, session
from tests.scheduler_core.volcano.test_usage import busy

LOW = {"thresholds": {"cpu": 30, "memory": 30}, "targetThresholds": {"cpu": 60, "memory": 60}}
CORE = {"cpu": "1", "memory": "1Gi"}


def config(
    *plugins, actions="allocate, shuffle", period="10m", interval="0s", metrics="prometheus", **params
):
    rescheduling = {
        "name": "rescheduling",
        "arguments": {
            "interval": interval,
            "metricsPeriod": period,
            "strategies": [{"name": "lowNodeUtilization", "params": LOW | params}],
        },
    }
    tiers = [[{"name": "gang"}, {"name": "predicates"}], [*plugins, rescheduling]]
    return {
        "actions": actions,
        "tiers": [{"plugins": tier} for tier in tiers],
        "metrics": {"type": metrics},
    }


def running(name, on, requests=CORE, priority=0, of="j", **labels):
    made = pod(name, of=of, on=on, requests=requests)
    made["spec"]["priority"] = priority
    made["metadata"]["labels"] = labels
    return made


def evicted(items, given):
    answer = session([queue("research"), group("j", 0), *items], json.dumps(given))
    return action(answer, "shuffle").get("evicted", [])


HOT = busy("hot", "90", "20")
COLD = busy("cold", "10", "10")


def test_pods_of_a_busy_node_go_until_it_is_below_its_target():
    """Each asks for a quarter of the node: after the second 40 per cent are left, below the target of 60."""
    pods = [running(f"p{number}", "hot") for number in range(4)]
    assert evicted([HOT, COLD, *pods], config()) == ["ml/p0", "ml/p1"]


def test_low_priority_goes_first_and_among_equals_the_lower_class_of_service():
    limited = running("guaranteed", "hot")
    limited["spec"]["containers"][0]["resources"]["limits"] = CORE
    pods = [
        running("high", "hot", priority=5),
        limited,
        running("burstable", "hot"),
        running("none", "hot", {}),
    ]
    assert evicted([HOT, COLD, *pods], config()) == ["ml/none", "ml/burstable", "ml/guaranteed"]


def test_the_most_used_node_comes_first():
    pods = [running("a", "hot"), running("b", "hotter")]
    assert evicted([HOT, busy("hotter", "95", "20"), COLD, *pods], config()) == ["ml/b", "ml/a"]


@pytest.mark.parametrize(
    ("nodes", "given"),
    [
        ([HOT, busy("mid", "45", "10")], config()),  # no node is idle
        ([busy("hot", "60", "60"), COLD], config()),  # none is above its target
        ([HOT, COLD], config(period="5m")),  # of five minutes Volcano has no figures
        ([HOT, COLD], config(period="")),
        ([HOT, COLD], config(metrics="")),
        ([HOT, COLD], config(thresholds=None)),  # ends the reading: all is at 100 then
        ([HOT, COLD], config(interval="5m")),  # not its turn yet
        ([node("hot"), node("cold")], config()),
    ],
)
def test_nobody_goes(nodes, given):
    assert evicted([*nodes, running("p", "hot")], given) == []


def test_a_cordoned_node_takes_nobody():
    shut = busy("cold", "10", "10")
    shut["spec"] = {"unschedulable": True}
    assert evicted([HOT, shut, running("p", "hot")], config()) == []


def test_pdb_names_every_pod_that_has_labels_and_no_budget():
    """So it does to shuffle in the tier that is asked first."""
    given = config({"name": "pdb"})
    pods = [running("labelled", "cold", app="x"), running("plain", "cold")]
    assert evicted([COLD, *pods], given) == ["ml/labelled"]
    off = config({"name": "pdb", "enabledVictim": False})
    assert evicted([COLD, *pods], off) == []


def test_by_the_clock_the_first_turn_comes_after_the_interval_and_no_other_is_played():
    owned = running("p", "hot")
    owned["metadata"]["namespace"] = "ml"
    run = RunInput(
        objects=[queue("research"), group("j", 0), HOT, COLD, owned, running("q", "hot")],
        profile="volcano-1.16",
        driver="timed",
        controllers="none",
        config=config(interval="90s", actions="shuffle", targetThresholds={"cpu": 89}),
        until=600,
    )
    gangs = [one for one in Simulation(run) if one.__struct_config__.tag == "gang"]
    assert [(one.time, [pod.name for pod in one.evicted]) for one in gangs] == [(90_000, ["p"])]


PART = "plugin rescheduling in part, which goes by nodes' measured load"


@pytest.mark.parametrize(
    ("given", "matter", "without_effect"),
    [
        (config(actions="allocate"), "", "plugin rescheduling (only the action shuffle asks it)"),
        (config(period="5m"), "", "plugin rescheduling (its metricsPeriod is 5m, and Volcano has"),
        (config(metrics="x"), "", "plugin rescheduling (metrics.type names no monitoring system"),
        (config(), f"{PART}: 1 of 2 nodes don't say it", ""),
        (
            config({"name": "tdm"}, actions="shuffle"),
            "action shuffle with plugin tdm: the real scheduler's",
            "",
        ),
    ],
)
def test_what_of_it_is_not_played_is_told(given, matter, without_effect):
    lent = node("lent")
    lent["metadata"]["labels"]["volcano.sh/revocable-zone"] = "night"
    told = unplayed_parts(read_configuration(given), [HOT, lent])
    assert "; ".join(told.matter).startswith(matter)
    assert "; ".join(told.without_effect).startswith(without_effect)
    assert bool(told.matter) == bool(matter)
    assert bool(told.without_effect) == bool(without_effect)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"interval": 5}, "interval"),
        (
            {"strategies": [{"name": "x", "params": {"thresholds": {"cpu": 1.5}}}]},
            "strategies[0].params.thresholds.cpu",
        ),
    ],
)
def test_arguments_that_end_the_real_scheduler_are_refused(arguments, field):
    given = {"actions": "shuffle", "tiers": [{"plugins": [{"name": "rescheduling", "arguments": arguments}]}]}
    with pytest.raises(BadInput) as refused:
        read_configuration(given)
    assert [one.field for one in refused.value.problems] == [f"tiers[0].plugins[0].arguments.{field}"]
