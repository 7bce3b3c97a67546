"""Kept answers are held against the plugins' own on recorded and made-up clusters and on the GPU trace.

`make test` takes a small part, EVERY_CASE=1 all. The recorded pods come several times each, since of one pod
of a kind nothing is kept.
"""

import json
from functools import cache
from itertools import islice

import pytest

from recorded.decide import decide
from samples.hami.sample import hami_scenarios
from samples.openb.sample import openb_files, openb_hami_files
from scheduler_core.kube import schedule_one
from scheduler_core.kube.equivalence.cache import Keeping
from scheduler_core.world import RunInput, Simulation
from tests.mixtures.__main__ import VECTORS, recorded
from tests.mixtures.mixing import mixtures
from tests.mixtures.repeating import repeated
from tests.mixtures.timelines import timed_cases
from tests.portions import EVERY, portion

TIMES, MIXTURES, TIMELINES = 3, 500, 300
SOME = None if EVERY else 50


@pytest.fixture
def compared(monkeypatch):
    """The pods for which a kept answer was held against the plugins' own."""
    pods = []
    require_same = schedule_one.require_same

    def noted(kept, plain):
        require_same(kept, plain)
        pods.append(kept.cycle.pod.key)

    monkeypatch.setattr(schedule_one, "require_same", noted)
    return pods


def with_pods(cases):
    return [case for case in cases if any(item["kind"] == "Pod" for item in case["cluster"]["items"])]


@cache
def of_recorded():
    return recorded(VECTORS / "kube", *([] if EVERY else ["preempt", "spread", "podaffinity", "taints"]))


CASES = {
    "recorded": lambda: portion(of_recorded(), 12),
    "mixed": lambda: portion(islice(mixtures(of_recorded(), 77, MIXTURES), SOME), 5),
    "timed": lambda: portion(islice(timed_cases(with_pods(of_recorded()), 77, TIMELINES), SOME), 5),
}


@pytest.mark.parametrize("of", CASES)
def test_every_kept_answer_is_the_plugins_own(of, compared):
    for case in CASES[of]():
        decide(repeated(case, TIMES))
    assert len(compared) > 50


def trace():
    return RunInput(objects=json.loads(openb_files()[0][1])["items"])


def trace_with_hami():
    (scenario,) = (one for one in hami_scenarios() if one.pop("name") == "Nodes binpack, cards spread")
    return RunInput(objects=json.loads(openb_hami_files()[0][1])["items"], **scenario)


@pytest.mark.parametrize(
    "run_input",
    [trace, pytest.param(trace_with_hami, marks=pytest.mark.skipif(not EVERY, reason="takes half a minute"))],
)
def test_each_tenth_kept_answer_on_the_gpu_trace_is_the_plugins_own(run_input, compared):
    simulation = Simulation(run_input(), keeping=Keeping(check_every=10))
    for _ in range(10_000 if EVERY else 500):
        if simulation.step() is None:
            break
    assert len(compared) > 30
