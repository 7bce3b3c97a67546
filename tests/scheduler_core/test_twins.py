"""A rule may have a second form, in plain numbers for one node. It says what the form for many nodes says.

Classes whose form for one node is not the general one are found by looking at all classes of the engine. Each
is held against its form for many: a new one needs no entry here, unless no release plays it.
"""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.kube.framework import Cycle, FilterPlugin, ScorePlugin, Skip, View
from scheduler_core.kube.kind import KIND
from scheduler_core.volcano.framework.plugin import Plugin as VolcanoPlugin
from tests.portions import tries
from tests.scheduler_core.kube.test_few_nodes import cluster, fleets, with_gpu
from tests.scheduler_core.volcano.equivalence.test_kept import crowded, play, session_objects, tainted

OF_VOLCANO = ("predicate_of", "node_order_of", "own_score_of")


def subclasses(base):
    """Return all classes of the engine below a class."""
    for one in base.__subclasses__():
        yield from subclasses(one)
        if one.__module__.startswith("scheduler_core."):
            yield one


def with_twin(base, *methods):
    """Return the classes that have a form of their own for one node, with its name."""
    return {
        (one, method)
        for one in subclasses(base)
        for method in methods
        if getattr(one, method) is not getattr(base, method)
    }


@cache
def profiles():
    """Return the default profiles of all releases."""
    built = (version.build(None) for version in KIND.versions.values())
    return [profile for of_release in built for profile in of_release.values()]


def played():
    """Return each plugin of kube-scheduler that some release plays, one of each class."""
    scores = (plugin for profile in profiles() for plugin, _ in profile.scores)
    filters = (plugin for profile in profiles() for plugin in profile.filters)
    return {type(plugin): plugin for plugin in (*scores, *filters)}


PLAYED = played()
FILTERS = sorted(
    (one for one, _ in with_twin(FilterPlugin, "asking", "slack") if one in PLAYED),
    key=lambda one: one.__name__,
)
SCORES = sorted(
    (one for one, _ in with_twin(ScorePlugin, "scoring") if one in PLAYED), key=lambda one: one.__name__
)


def test_every_form_for_one_node_is_held_against_the_one_for_many():
    of_filters, of_scores = with_twin(FilterPlugin, "asking", "slack"), with_twin(ScorePlugin, "scoring")
    names = {(one.__name__, method) for one, method in of_filters | of_scores}
    assert {
        ("NodeResourcesFit", "asking"),
        ("NodeResourcesFit", "slack"),
        ("NodeResourcesFit", "scoring"),
        ("NodeResourcesBalancedAllocation", "scoring"),
    } <= names
    assert {one for one, _ in of_filters | of_scores} <= set(PLAYED)
    of_volcano = with_twin(VolcanoPlugin, *OF_VOLCANO)
    assert {(one.__name__, method) for one, method in of_volcano} == {
        ("Binpack", "node_order_of"),
        ("NetworkTopologyAware", "own_score_of"),
        ("Nodeorder", "node_order_of"),
        ("Nodeorder", "own_score_of"),
        ("Predicates", "predicate_of"),
        ("Predicates", "own_score_of"),
    }


@pytest.mark.parametrize("kind", FILTERS, ids=lambda one: one.__name__)
@given(fleets, with_gpu, st.data())
@settings(max_examples=tries(20))
def test_a_filter_asks_one_node_as_many(kind, fleet, asked, data):
    limits = st.sampled_from(["1", "2", "3", "110"])
    fleet = [({**size, "pods": data.draw(limits)}, pods) for size, pods in fleet]
    state, plugin = cluster(fleet, asked), PLAYED[kind]
    cycle, rows = Cycle(state, state.pods.infos[-1]), np.arange(len(fleet))
    profile = next(one for one in profiles() if plugin in one.filters)
    profile.run_pre_filter(cycle)
    view = View(cycle)
    with np.errstate(over="ignore"):  # Amounts past int64 wrap around, as in Go.
        assert [plugin.asking(view)(row) for row in rows.tolist()] == plugin.filter(view, rows).tolist()
        slack = plugin.slack(view, rows)
        if slack is None:
            return
        others = np.array([data.draw(st.integers(0, len(state.pods) - 1)) for _ in fleet])
        trial = view.trial()
        trial.update(rows, others, 1)
        assert slack.take(rows, others).tolist() == plugin.filter(trial, rows).tolist()


@pytest.mark.parametrize("kind", SCORES, ids=lambda one: one.__name__)
@given(fleets, with_gpu)
@settings(max_examples=tries(20))
def test_a_score_of_one_node_is_that_among_many(kind, fleet, asked):
    state, plugin = cluster(fleet, asked), PLAYED[kind]
    cycle, rows = Cycle(state, state.pods.infos[-1]), np.arange(len(fleet))
    prepared = plugin.pre_score(cycle, rows)
    if isinstance(prepared, Skip):
        return
    with np.errstate(invalid="ignore", over="ignore"):
        score_of = plugin.scoring(cycle, prepared)
        assert [score_of(row) for row in rows.tolist()] == plugin.score(cycle, prepared, rows).tolist()


@given(st.integers(1, 8), st.integers(1, 4), st.integers(1, 3), st.sampled_from([tainted, crowded, list]))
@settings(max_examples=tries(15), deadline=None)
def test_volcanos_plugins_ask_one_node_as_many(nodes, jobs, tasks, turned):
    _, session = play(turned(session_objects(nodes, jobs, tasks)))
    rows, asked = session.nodes.all, 0
    for job in session.jobs.values():
        for task in job.tasks.values():
            if session.classes.of(task) is None or not session.by_node(task):
                continue
            # No action asks about a task that it has not had looked at before.
            assert session.pre_predicate(task) is None
            for plugin in session.plugins.values():
                if hasattr(plugin, "predicate"):
                    fits, refused = plugin.predicate_of(task), plugin.predicate(task, rows)
                    assert [row for row in rows.tolist() if not fits(row)] == sorted(refused)
                    asked += 1
                if hasattr(plugin, "node_order"):
                    order_of, many = plugin.node_order_of(task), plugin.node_order(task, rows)
                    assert [order_of(row) for row in rows.tolist()] == many.tolist()
                own_of, many = plugin.own_score_of(task), plugin.own_scores(task, rows)
                assert [own_of(row) for row in rows.tolist()] == many.tolist()
    assert asked
