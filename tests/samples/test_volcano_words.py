"""What the Volcano samples' words say in figures is what their runs come to."""

import re
from functools import cache

import pytest
import yaml

from samples.volcano.sample import FOLDER, volcano_files, volcano_scenarios
from scheduler_core.world import RunInput, Simulation

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
NUMBERS += ("twelve", "thirteen", "fourteen", "fifteen", "sixteen")
GPU = "nvidia.com/gpu"


def figures(file, pattern):
    text = " ".join((FOLDER / file).read_text().split())
    return tuple(NUMBERS.index(word) for word in re.search(pattern, text).groups())


@cache
def played(name):
    """The pods of the cluster, and the decisions of the first scenario's run with its end."""
    settings = {key: value for key, value in volcano_scenarios(name)[0].items() if key != "name"}
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
