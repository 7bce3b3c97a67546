"""What a binder decided stands in its own view: undone by the journal, kept by a checkpoint."""

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.driver import InstantDriver
from scheduler_core.state.build import build_state
from tests.builders import node
from tests.scheduler_core.storage_objects import claim, pod_with, storage_class, volume


def begun(steps):
    """Return a driver after some steps of two pods: one takes a volume, the other has one made."""
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
    driver = InstantDriver(built.state, build_profiles(None))
    driver.admit(built.pending, built.pending)
    for seq in range(1, steps + 1):
        driver.apply(driver.look(), seq)
    return driver


def reserved(driver):
    return driver.dump_plugins()["default-scheduler"]["VolumeBinding"]


EMPTY = {"references": [], "selected_nodes": []}
BOTH = {
    "references": [["v", "default", "kept", "PersistentVolumeClaim-default-kept"]],
    "selected_nodes": [["default", "made", "PersistentVolumeClaim-default-made", "a"]],
}


def test_nothing_is_reserved_before_the_first_decision():
    assert reserved(begun(0)) == EMPTY


def test_looking_reserves_nothing():
    driver = begun(0)
    driver.look()
    assert reserved(driver) == EMPTY


def test_a_matched_volume_and_a_node_to_provision_for_are_reserved():
    assert reserved(begun(2)) == BOTH


def test_the_journal_takes_reservations_back():
    driver = begun(0)
    mark = driver.state.mark()
    driver.apply(driver.look(), 1)
    driver.apply(driver.look(), 2)
    driver.state.undo_to(mark)
    assert reserved(driver) == EMPTY


def test_a_checkpoint_carries_reservations_over():
    saved, resumed = begun(2).dump_plugins(), begun(0)
    resumed.load_plugins(saved)
    assert reserved(resumed) == BOTH


def test_the_objects_of_the_snapshot_stay_as_they_were():
    state = begun(2).state
    assert state.volumes.volumes["v"].spec.claim_ref is None
    assert state.volumes.claims["default", "kept"].spec.volume_name == ""
