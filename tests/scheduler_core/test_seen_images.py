"""When a node's images count anew: undone, saved and taken up again like the rest of the state."""

import json

import msgspec

from scheduler_core.objects.types import Node, convert
from scheduler_core.state.build import build_state


def node(name, *images):
    shown = [{"names": [image], "sizeBytes": size} for image, size in images]
    return {"kind": "Node", "metadata": {"name": name}, "status": {"images": shown}}


def a_cluster():
    return build_state([node("a", ("app", 100)), node("b", ("app", 100)), node("c")]).state


def seen(state):
    """Return for each node that has the image on how many nodes it counts, and its size."""
    on = state.nodes.images["app"]
    names = [state.nodes.names[row] for row in on.nodes.tolist()]
    sizes = state.seen_images.scaled("app", on, lambda size, holders: size)
    counts = state.seen_images.scaled("app", on, lambda size, holders: holders)
    shown = [[value] * len(names) if isinstance(value, int) else value.tolist() for value in (counts, sizes)]
    return dict(zip(names, zip(*shown, strict=True), strict=True))


def add(state, document):
    state.add_node(convert(document, Node))


def test_a_node_that_nothing_happens_to_counts_late_what_others_have():
    state = a_cluster()
    state.seen_images.look()
    add(state, node("d", ("app", 999)))
    assert seen(state) == {"a": (2, 100), "b": (2, 100), "d": (3, 100)}
    state.seen_images.touch("a")
    assert seen(state)["a"] == (3, 100)
    state.seen_images.look()
    state.remove_node("d")
    assert seen(state) == {"a": (3, 100), "b": (2, 100)}


def test_each_scheduler_looks_by_itself():
    state = a_cluster()
    state.seen_images.join("one", ["default-scheduler"])
    state.seen_images.join("other", ["packing", "spreading"])
    state.seen_images.look("one")
    state.seen_images.look("other")
    add(state, node("d", ("app", 999)))
    state.seen_images.touch("a")
    state.seen_images.look("other")

    def holders(name):
        on = state.nodes.images["app"]
        return state.seen_images.scaled("app", on, lambda size, holders: holders, name).tolist()

    assert holders("default-scheduler") == [3, 2, 3]
    assert holders("packing") == holders("spreading") == [3, 2, 3]
    state.remove_node("d")
    assert holders("default-scheduler") == [2, 2]
    assert holders("packing") == holders("spreading") == [3, 2]


def test_before_the_first_look_everything_is_as_it_is():
    state = a_cluster()
    add(state, node("d", ("app", 999)))
    assert set(seen(state).values()) == {(3, 100)}


def test_an_image_that_was_on_no_node_gets_a_new_size():
    state = a_cluster()
    for name in ("a", "b"):
        state.remove_node(name)
    add(state, node("d", ("app", 999)))
    assert seen(state) == {"d": (1, 999)}


def test_what_was_seen_is_undone_and_taken_up_again():
    state = a_cluster()
    state.seen_images.look()
    add(state, node("d", ("app", 999)))
    before, saved, mark = seen(state), json.loads(msgspec.json.encode(state.dump())), state.mark()
    state.seen_images.look()
    state.remove_node("a")
    assert seen(state) == {"b": (2, 100), "d": (3, 100)}
    state.undo_to(mark)
    assert seen(state) == before
    other = a_cluster()
    other.load(saved)
    assert seen(other) == before
