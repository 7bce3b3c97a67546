"""Tasks that are sorted come in the order in which Volcano's heap would give them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.go.heap import InOrder, PriorityQueue
from scheduler_core.volcano.model.resource import Resource, largest_share, share
from tests.scheduler_core.volcano.equivalence.test_kept import play, session_objects

_, SESSION = play(session_objects(2, 1, 1))
[TASK] = next(iter(SESSION.jobs.values())).tasks.values()

names = st.sampled_from(["a-b-1", "a-b-2", "a-b-10", "a-c-2"])
others = st.sampled_from(["x", "y-1"])


def tasks_of(named):
    return [
        replace(TASK, uid=str(place), name=name, priority=priority, created=created)
        for place, (name, priority, created) in enumerate(named)
    ]


def popped(queue):
    return [queue.pop().uid for _ in range(len(queue))]


@pytest.mark.parametrize("of", [names, others])
@given(st.data())
def test_sorted_tasks_come_as_from_the_heap(of, data):
    described = st.tuples(of, st.integers(0, 2), st.integers(0, 2))
    tasks = tasks_of(data.draw(st.lists(described, max_size=12)))
    queue = SESSION.tasks_in_order(tasks)
    assert isinstance(queue, InOrder)
    assert popped(queue) == popped(PriorityQueue(SESSION.task_before, tasks))


def test_tasks_of_which_only_some_have_a_number_are_left_to_the_heap():
    tasks = tasks_of([("a-b-1", 1, 1), ("x", 1, 1)])
    assert isinstance(SESSION.tasks_in_order(tasks), PriorityQueue)


amounts = st.sampled_from([0.0, 0.05, 0.1, 1.0, 2.0, 3.0])
resources = st.builds(
    Resource,
    amounts,
    amounts,
    st.none() | st.dictionaries(st.sampled_from(["pods", "nvidia.com/gpu", "a/b"]), amounts),
)


@given(resources, resources, resources)
def test_room_for_more_is_what_lacks_nothing_with_it(held, more, limit):
    lacking = held.clone().add(more).lacking_for(limit, Resource().add(more))
    assert held.has_room_for(more, limit) == (not lacking)


@given(resources, resources)
def test_the_largest_share_is_that_of_the_dimensions_there_are(held, whole):
    parts = (share(held.get(name), whole.get(name)) for name in whole.names())
    assert largest_share(held, whole) == max(parts, default=0.0)
