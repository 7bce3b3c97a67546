"""What is made of parts that remember dumps and loads itself."""

from msgspec.structs import replace

from scheduler_core.state.build import build_state
from scheduler_core.state.checkpoint import ByName, Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register
from tests.scheduler_core.clusters import node, pod


class Base(Checkpointed):
    remembered = {"first": "_first", "named": "_named"}

    def __init__(self):
        journal = Journal()
        self._first = Register(journal, {"a": 0}.items())
        self._parts = {name: Register(journal) for name in "xy"}
        self._named = ByName(self._parts.items)


class More(Base):
    remembered = {"more": "more"}

    def __init__(self):
        super().__init__()
        self.more = Register(Journal(), read=tuple)
        self.not_remembered = Register(Journal())


def test_a_class_remembers_its_own_parts_after_those_of_its_base():
    one = More()
    one._first.put("a", 1)
    one._parts["y"].put("k", 2)
    one.more.put(3, (4, 5))
    one.not_remembered.put("k", 6)
    dumped = one.dump()
    assert list(dumped) == ["first", "named", "more"]
    assert dumped == {"first": [["a", 1]], "named": {"x": [], "y": [["k", 2]]}, "more": [[3, (4, 5)]]}
    assert Base().dump() == {"first": [["a", 0]], "named": {"x": [], "y": []}}


def test_what_was_dumped_is_restored_with_values_as_they_were():
    other = More()
    other.not_remembered.put("k", 6)
    other.load({"first": [["a", 1]], "named": {"x": [], "y": [["k", 2]]}, "more": [[3, [4, 5]]], "else": 1})
    assert other._first.values == {"a": 1}
    assert [part.values for part in other._parts.values()] == [{}, {"k": 2}]
    assert other.more.values == {3: (4, 5)}
    assert other.not_remembered.values == {"k": 6}


def test_a_pod_that_is_as_it_was_imported_is_no_changed_pod():
    """Its nomination was written and taken back: a restored state could not tell it from an untouched one."""
    state = build_state([node("n"), pod("p")]).state
    [info] = state.pods.infos
    imported = info.pod
    state.change_pod(0, replace(imported, status=replace(imported.status, nominated_node_name="n")))
    assert len(state.pod_changes.dump()["changed"]) == 1
    state.change_pod(0, replace(imported, status=replace(imported.status)))
    assert state.pods.infos[0].pod is not imported
    assert state.pod_changes.dump()["changed"] == []
