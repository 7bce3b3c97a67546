"""What a binder decided stands in its own view: undone by the journal, kept by a checkpoint."""

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.state.build import build_state
from scheduler_core.world.setting_up.arrangements import bare_world
from tests.builders import node
from tests.scheduler_core.storage_objects import claim, pod_with, storage_class, volume


def begun(steps):
    """Return a world after some steps of two pods: one takes a volume, the other has one made."""
    built = build_state(
        [
            node("a"),
            storage_class("fast"),
            storage_class("local", provisioner="kubernetes.io/no-provisioner"),
            volume("v", "local", on=["a"]),
            claim("kept", "local"),
            claim("made", "fast"),
            pod_with("p1", "kept"),
            pod_with("p2", "made"),
        ]
    )
    world = bare_world(built.state, build_profiles(None))
    world.schedulers[0].admit(built.pending, built.pending)
    for _ in range(steps):
        world.step()
    return world


def reserved(world):
    return world.schedulers[0].dump()["plugins"]["default-scheduler/VolumeBinding"]


EMPTY = {"references": [], "selected_nodes": []}
BOTH = {
    "references": [["v", "default", "kept", "PersistentVolumeClaim-default-kept"]],
    "selected_nodes": [["default", "made", "PersistentVolumeClaim-default-made", "a"]],
}


def test_nothing_is_reserved_before_the_first_decision():
    assert reserved(begun(0)) == EMPTY


def test_looking_reserves_nothing():
    world = begun(0)
    world.look()
    assert reserved(world) == EMPTY


def test_the_journal_takes_reservations_back():
    world = begun(0)
    first = world.look()
    world.apply(first)
    assert reserved(world) != EMPTY
    world.state.undo_to(0)
    assert reserved(world) == EMPTY


def test_a_checkpoint_carries_reservations_over():
    saved, resumed = begun(2).dump(), begun(0)
    resumed.load(saved)
    assert reserved(resumed) == BOTH


def test_the_objects_of_the_snapshot_stay_as_they_were():
    state = begun(2).state
    assert state.volumes.volumes["v"].spec.claim_ref is None
    assert state.volumes.claims["default", "kept"].spec.volume_name == ""
