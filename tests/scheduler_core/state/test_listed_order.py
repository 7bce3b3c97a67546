"""The order in which a scheduler goes through nodes that come, go and change their zones between attempts."""

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.types import Node
from scheduler_core.state.build import build_state
from scheduler_core.state.cluster import ClusterState

NAMES, ZONES = "abcdef", "xyz"


def node(name: str, zone: str) -> Node:
    labels = {"topology.kubernetes.io/zone": zone}
    return msgspec.convert({"metadata": {"name": name, "labels": labels}}, Node)


class Scheduler:
    """Lists the nodes anew where their names are others than at the last attempt, as the real cache does."""

    def __init__(self, state: ClusterState) -> None:
        self.state, self.listed = state, list[str]()

    def attempt(self) -> None:
        if set(self.listed) != set(self.state.nodes.names):
            self.listed = [self.state.nodes.names[row] for row in self.state.nodes.in_turn]

    def found(self) -> list[str]:
        return [self.state.nodes.names[row] for row in self.state.listed_order.rows("default-scheduler")]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(NAMES), st.sampled_from(ZONES)),
        st.tuples(st.just("attempt"), st.just(""), st.just("")),
    ),
    max_size=40,
)


def step(state: ClusterState, what: str, name: str, zone: str) -> None:
    """Let a node come, or change to this zone, or go if it is in this zone."""
    if what == "attempt":
        state.look("kube")
    elif name not in state.nodes.index:
        state.add_node(node(name, zone))
    elif state.nodes.objects[state.nodes.index[name]] == node(name, zone):
        state.remove_node(name)
    else:
        state.change_node(node(name, zone))


def begun() -> ClusterState:
    state = build_state([]).state
    state.join("kube", ["default-scheduler"])
    return state


@given(STEPS)
def test_it_is_the_order_of_a_list_that_is_made_anew_where_nodes_have_come_or_gone(steps) -> None:
    state = begun()
    model = Scheduler(state)
    for what, name, zone in steps:
        if what == "attempt":
            model.attempt()
            assert model.found() == model.listed
        step(state, what, name, zone)


@given(STEPS, STEPS)
def test_what_is_taken_back_leaves_no_trace_and_a_checkpoint_holds_all(first, then) -> None:
    state = begun()
    for one in first:
        step(state, *one)
    before, mark = json.dumps(state.listed_order.dump()), state.mark()
    other = begun().listed_order
    other.load(json.loads(before))
    assert json.dumps(other.dump()) == before
    for one in then:
        step(state, *one)
    state.undo_to(mark)
    assert json.dumps(state.listed_order.dump()) == before


def test_a_node_that_changes_its_zone_keeps_its_place_until_another_comes() -> None:
    state = begun()
    for name, zone in (("a", "x"), ("b", "x"), ("c", "y")):
        state.add_node(node(name, zone))
    model = Scheduler(state)
    state.look("kube")
    state.change_node(node("b", "z"))
    assert model.found() == ["a", "c", "b"]
    state.change_node(node("a", "y"))
    assert (model.found(), [state.nodes.names[row] for row in state.nodes.in_turn]) == (
        ["a", "c", "b"],
        ["c", "b", "a"],
    )
    state.add_node(node("d", "x"))
    assert model.found() == ["c", "b", "d", "a"]
