"""The API server in memory: versions, subresources, ownership, and pods that take their time to go."""

import pytest

from scheduler_core.volcano.controllers.api_client import AlreadyExists, Conflict, NotFound
from scheduler_core.volcano.controllers.kinds import (
    BATCH_JOB,
    JOB,
    POD,
    POD_GROUP,
    controller_reference,
    is_leaving,
    new_object,
)
from scheduler_core.volcano.controllers.memory_api import MemoryApi


@pytest.fixture
def server():
    return MemoryApi(1_780_000_000 * 10**9)


def job(server, name="train"):
    return server.create(new_object(JOB, "default", name) | {"spec": {"queue": "q"}})


def pod(server, name, *owners, node=""):
    item = new_object(POD, "default", name) | {"spec": {"nodeName": node}}
    references = [
        controller_reference(JOB, one["metadata"]["name"], one["metadata"]["uid"]) for one in owners
    ]
    item["metadata"]["ownerReferences"] = references
    return server.create(item)


def events(server):
    return list(iter(server.next_event, None))


def names(server, kind):
    return [item["metadata"]["name"] for item in server.list(kind)]


def test_kinds_of_one_name_and_several_groups_are_apart(server):
    server.create(new_object(BATCH_JOB, "default", "train"))
    job(server)
    assert (len(server.list(BATCH_JOB)), len(server.list(JOB))) == (1, 1)
    with pytest.raises(AlreadyExists, match=r'jobs\.batch\.volcano\.sh "train" already exists'):
        job(server)


def test_a_write_on_an_old_version_is_refused(server):
    old = job(server)
    server.update(old | {"spec": {"queue": "other"}})
    with pytest.raises(Conflict, match="has been modified"):
        server.update(old | {"spec": {"queue": "third"}})
    with pytest.raises(Conflict):
        server.update_status(old | {"status": {"version": 1}})


def test_a_write_that_changes_nothing_makes_no_event(server):
    item = job(server)
    events(server)
    assert server.update(item) is item
    assert events(server) == []


def test_the_status_of_a_job_is_apart_and_that_of_a_pod_group_is_not(server):
    changed = {"spec": {"queue": "other"}, "status": {"phase": "Running"}}
    item = job(server)
    assert "status" not in server.update(item | changed)
    item = server.get(JOB, "default/train")
    assert server.update_status(item | {"spec": {}, "status": {"version": 1}})["spec"] == {"queue": "other"}
    group = server.create(new_object(POD_GROUP, "default", "g"))
    assert server.update(group | changed)["status"] == {"phase": "Running"}


def test_a_pod_on_a_node_stays_until_it_is_gone(server):
    pod(server, "waiting")
    pod(server, "running", node="n1")
    server.delete(POD, "default/waiting")
    server.delete(POD, "default/running")
    assert names(server, POD) == ["running"]
    assert is_leaving(server.get(POD, "default/running"))
    events(server)
    server.delete(POD, "default/running")
    assert events(server) == []
    server.gone(POD, "default/running")
    with pytest.raises(NotFound, match='pods "running" not found'):
        server.get(POD, "default/running")


def test_in_the_background_an_owner_goes_first(server):
    owner = job(server)
    pod(server, "p", owner)
    events(server)
    server.delete(JOB, "default/train")
    assert [(event.kind, event.new) for event in events(server)] == [(JOB, None), (POD, None)]


def test_in_the_foreground_an_owner_stays_until_all_it_owns_is_gone(server):
    owner = job(server)
    pod(server, "done", owner)
    pod(server, "running", owner, node="n1")
    server.delete(JOB, "default/train", foreground=True)
    assert names(server, POD) == ["running"]
    assert is_leaving(server.get(JOB, "default/train"))
    server.gone(POD, "default/running")
    assert names(server, JOB) == []


def test_what_has_another_owner_stays(server):
    pod(server, "shared", job(server, "one"), job(server, "two"))
    server.delete(JOB, "default/one", foreground=True)
    assert names(server, POD) == ["shared"]
    server.delete(JOB, "default/two")
    assert (names(server, POD), names(server, JOB)) == ([], [])


def test_only_the_object_that_was_meant_is_deleted(server):
    job(server)
    with pytest.raises(Conflict):
        server.delete(JOB, "default/train", uid="another")
    assert names(server, JOB) == ["train"]
