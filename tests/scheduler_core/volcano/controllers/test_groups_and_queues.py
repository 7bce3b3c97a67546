"""The controllers of pod groups and queues beyond what is recorded."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.volcano.controllers.kinds import (
    POD,
    POD_GROUP,
    QUEUE,
    REPLICA_SET,
    api_version,
    controller_reference,
    new_object,
    phase_of,
)
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi
from scheduler_core.volcano.controllers.podgroup.controller import PodGroupController
from scheduler_core.volcano.controllers.queue.controller import COUNTED, QueueController


def started():
    server = MemoryApi(1_780_000_000 * 10**9)
    return server, Manager(server)


def work_off(manager):
    done = []
    while (one := manager.step()) is not None:
        done.append(one)
    return done


def queue(name, **spec):
    return {
        "apiVersion": api_version(QUEUE),
        "kind": "Queue",
        "metadata": {"name": name},
        "spec": {"parent": "root", **spec},
        "status": {"state": "Open"},
    }


def test_a_pod_group_that_has_moved_away_and_gone_is_forgotten_by_its_first_queue():
    server, manager = started()
    controller = QueueController(manager.api, manager.informers, 3)
    manager.controllers = [controller]
    for name in ("root", "q1", "q2"):
        server.create(queue(name))
    server.create(new_object(POD_GROUP, "default", "g") | {"spec": {"queue": "q1"}})
    work_off(manager)
    server.patch(POD_GROUP, "default/g", {"spec": {"queue": "q2"}})
    work_off(manager)
    server.delete(POD_GROUP, "default/g")
    work_off(manager)
    assert list(controller.groups.of("q1")) == ["default/g"]
    server.create(new_object(POD_GROUP, "default", "h") | {"spec": {"queue": "q1"}})
    work_off(manager)
    assert list(controller.groups.of("q1")) == ["default/h"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["come", "phase", "move", "go", "queue goes", "restore"]),
            st.sampled_from("abc"),
            st.sampled_from(["q1", "q2"]),
            st.sampled_from(COUNTED),
        ),
        max_size=25,
    )
)
def test_what_is_counted_as_it_comes_is_what_a_count_of_all_groups_finds(doings):
    server, manager = started()
    controller = QueueController(manager.api, manager.informers, 3)
    manager.controllers = [controller]
    for name in ("root", "q1", "q2"):
        server.create(queue(name))
    for verb, name, of, phase in doings:
        is_there = manager.informers.find(POD_GROUP, f"default/{name}") is not None
        if verb == "restore":
            controller.load(controller.dump())
        elif verb == "queue goes" and manager.informers.find(QUEUE, of):
            server.delete(QUEUE, of)
        elif verb == "come" and not is_there:
            made = new_object(POD_GROUP, "default", name) | {"spec": {"queue": of}}
            server.create(made | {"status": {"phase": phase}})
        elif is_there and verb in ("phase", "move"):
            patch = {"status": {"phase": phase}} if verb == "phase" else {"spec": {"queue": of}}
            server.patch(POD_GROUP, f"default/{name}", patch)
        elif is_there and verb == "go":
            server.delete(POD_GROUP, f"default/{name}")
        work_off(manager)
        for one in ("q1", "q2"):
            copies = [manager.informers.find(POD_GROUP, key) for key in controller.groups.of(one)]
            found = Counter(phase_of(copy) for copy in copies if copy is not None)
            assert controller.groups.in_phases(one, COUNTED) == found


def test_a_queue_in_a_state_that_does_not_exist_says_so():
    server, manager = started()
    manager.controllers = [QueueController(manager.api, manager.informers, 0)]
    server.create(queue("root"))
    server.create(queue("q") | {"status": {"state": "Ajar"}})
    (told,) = [told for one in work_off(manager) for told in one.told]
    assert told.message == "SyncQueue queue failed for queue q state Ajar is invalid"


def test_a_pod_group_that_is_as_it_should_be_is_not_written():
    server, manager = started()
    manager.controllers = [PodGroupController(manager.api, manager.informers, ["volcano"], inherit=True)]
    owner = new_object(REPLICA_SET, "default", "web")
    owner["spec"] = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}}
    owner = server.create(owner)

    def add_pod(name):
        reference = controller_reference(REPLICA_SET, "web", owner["metadata"]["uid"])
        pod = new_object(POD, "default", name, reference) | {"spec": {"schedulerName": "volcano"}}
        pod["metadata"]["labels"] = {"app": "web"}
        server.create(pod)

    add_pod("web-b")
    work_off(manager)
    server.patch(REPLICA_SET, "default/web", {"spec": {"replicas": 3}})
    add_pod("web-a")
    written = [(one.verb, one.kind, one.key) for done in work_off(manager) for one in done.writes]
    assert written == [("patch", POD, "default/web-a")]


def test_a_pod_group_made_in_a_watch_event_is_told_with_the_event():
    server, manager = started()
    manager.controllers = [PodGroupController(manager.api, manager.informers, ["volcano"], inherit=True)]
    owner = new_object(REPLICA_SET, "default", "web")
    owner["spec"] = {"replicas": 0, "selector": {"matchLabels": {"app": "web"}}}
    uid = server.create(owner)["metadata"]["uid"]
    server.create(new_object(POD_GROUP, "default", f"podgroup-{uid}"))
    (deleted,) = [one for one in work_off(manager) if one.writes]
    assert (deleted.cause.kind, deleted.writes[0].verb) == (REPLICA_SET, "delete")
