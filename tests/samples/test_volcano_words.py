"""What the Volcano samples' words say in figures is what their runs come to."""

import re
from functools import cache

import pytest
import yaml

from samples.volcano.sample import FOLDER, volcano_files, volcano_scenarios
from scheduler_core.events.sessions import HyperNodeSearch
from scheduler_core.world import RunInput, Simulation

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
NUMBERS += ("twelve", "thirteen", "fourteen", "fifteen", "sixteen")
GPU = "nvidia.com/gpu"


def figures(file, pattern):
    text = " ".join((FOLDER / file).read_text().split())
    return tuple(NUMBERS.index(word.lower()) for word in re.search(pattern, text).groups())


@cache
def played(name, scenario=0):
    """The pods of the cluster, and the decisions of a scenario's run with its end."""
    settings = {key: value for key, value in volcano_scenarios(name)[scenario].items() if key != "name"}
    [(_, content)] = volcano_files(name)
    objects = list(yaml.safe_load_all(content))
    simulation = Simulation(RunInput(objects=objects, **settings))
    return objects, list(simulation), simulation.state()


def pods_of(app, objects):
    return [item for item in objects if item["kind"] == "Pod" and item["metadata"]["labels"]["app"] == app]


def placed(app, state):
    return [pod for pod in state.pods() if pod.name.startswith(f"{app}-") and pod.node]


@pytest.mark.parametrize("file", ["README.md", "queues.yaml"])
def test_a_queue_deserves_what_it_is_said_to(file):
    said = figures(file, r"holds all (\w+) GPUs, of which it deserves (\w+);.* asks for (\w+)\.")
    _, [first, *_], _ = played("queues")
    queues = {change.id: change.new for change in first.changes if change.table == "queues"}
    amounts = (queues["research"]["allocated"], queues["research"]["deserved"], queues["prod"]["request"])
    assert tuple(amount[GPU] // 1000 for amount in amounts) == said


def test_the_minimum_of_the_gang_gets_started():
    [minimum, beyond] = figures(
        "README.md", r"minimum of its gang, (\w+), gets started; for the (\w+) pods beyond"
    )
    objects, _, state = played("queues")
    assert len(placed("rank", state)) == minimum
    assert len(pods_of("rank", objects)) == minimum + beyond


def test_as_many_are_preempted_as_is_said():
    workers, pods, stay, go = figures(
        "README.md",
        r"job of (\w+) workers meets (\w+) pods .* of which (\w+) must stay .* `preempt` (\w+) of",
    )
    objects, _, state = played("priority")
    [group] = [
        item for item in objects if item["kind"] == "PodGroup" and item["metadata"]["name"] == "nightly"
    ]
    assert len(placed("hotfix", state)) == workers
    assert (len(pods_of("nightly", objects)), group["spec"]["minMember"]) == (pods, stay)
    assert len(placed("nightly", state)) == pods - go


def test_a_pod_for_whole_cards_starts_where_cards_are_filled_one_after_the_other():
    [notebooks] = figures("README.md", r"(\w+) notebooks ask for a quarter")
    _, _, packed = played("vgpu")
    _, _, spread = played("vgpu", 1)
    assert len(placed("notebook", packed)) == len(placed("notebook", spread)) == notebooks
    assert (len(placed("finetune", packed)), len(placed("finetune", spread))) == (1, 0)


def test_jobs_stay_within_their_tiers_and_one_finds_too_few_nodes_there():
    [empty] = figures("README.md", r"never starts, with (\w+) nodes empty when it is tried")
    _, decisions, state = played("hyper_nodes")
    racks = {app: {pod.node.rsplit("-", 1)[0] for pod in placed(app, state)} for app in ("near", "soft")}
    assert all(len(found) == 1 for found in racks.values())
    assert {pod.node[:6] for pod in placed("spine", state)} <= {"rack-c", "rack-d", "rack-e"}
    assert not placed("apart", state)
    searches = [place for place, one in enumerate(decisions) if isinstance(one, HyperNodeSearch)]
    tried = next(place for place in searches if decisions[place].job == "ml/apart")
    taken = {one.node for one in decisions[:tried] if getattr(one, "node", "")} | {"rack-a-1"}
    assert 10 - len(taken) == empty
    _, _, anywhere = played("hyper_nodes", 1)
    assert all(placed(app, anywhere) for app in ("near", "apart", "spine", "soft"))


def test_replicas_start_whole_each_within_a_rack():
    [pods, start] = figures("README.md", r"Of the (\w+) pods (\w+) start")
    objects, _, state = played("sub_groups")
    assert (len(pods_of("chat", objects)), len(placed("chat", state))) == (pods, start)
    for replica in (0, 1):
        assert len({pod.node[:6] for pod in placed(f"chat-{replica}", state)}) == 1
    assert not placed("chat-2", state)
