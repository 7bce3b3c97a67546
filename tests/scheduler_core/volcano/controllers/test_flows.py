"""Job flows: Jobs made of templates, one after another, as far as their controller reads a flow."""

import pytest

from scheduler_core.volcano.controllers.flow.controller import JobFlowController
from scheduler_core.volcano.controllers.flow.templates import JobTemplateController
from scheduler_core.volcano.controllers.kinds import JOB, JOB_FLOW, JOB_TEMPLATE, new_object
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi

SECOND = 10**9


class Flows:
    """An API server with the templates `a`, `b` and `c`, and the controller of job flows."""

    def __init__(self, max_retries=15):
        self.server = MemoryApi(1_780_000_000 * SECOND)
        self.manager = Manager(self.server)
        noted, informers = self.manager.api, self.manager.informers
        self.manager.controllers = [
            JobFlowController(noted, informers, max_retries),
            JobTemplateController(noted, informers),
        ]
        for name in "abc":
            self.server.create(new_object(JOB_TEMPLATE, "ml", name) | {"spec": {"minAvailable": 1}})
        self.work_off()

    def add(self, *flows, **spec):
        flow = new_object(JOB_FLOW, "ml", "f")
        self.server.create(flow | {"spec": {"flows": list(flows)} | spec})
        return self.work_off()

    def work_off(self):
        done = []
        while (one := self.manager.step()) is not None:
            done.append(one)
        return done

    def end(self, job, phase="Completed"):
        self.server.patch(JOB, f"ml/f-{job}", {"status": {"state": {"phase": phase}}})
        return self.work_off()

    @property
    def jobs(self):
        return [job["metadata"]["name"] for job in self.server.list(JOB)]

    @property
    def status(self):
        return self.server.get(JOB_FLOW, "ml/f")["status"]

    @property
    def phase(self):
        return self.status["state"]["phase"]


@pytest.fixture
def flows():
    return Flows()


def after(name, *targets, **more):
    return {"name": name, "dependsOn": {"targets": list(targets)} | more}


def test_a_job_is_made_once_all_its_targets_are_completed(flows):
    flows.add({"name": "a"}, {"name": "b"}, after("c", "a", "b"))
    assert (flows.jobs, flows.phase) == (["f-a", "f-b"], "Pending")
    flows.end("a", "Running")
    assert (flows.jobs, flows.phase) == (["f-a", "f-b"], "Running")
    flows.end("a")
    assert flows.jobs == ["f-a", "f-b"]
    flows.end("b")
    assert flows.jobs == ["f-a", "f-b", "f-c"]
    flows.end("c")
    assert flows.phase == "Succeed"


def test_the_status_has_the_histories_of_jobs_and_their_conditions(flows):
    flows.add({"name": "a"})
    begun, later = "2026-05-28T20:26:40Z", "2026-05-28T20:27:40Z"
    flows.end("a", "Pending")
    flows.server.now += 60 * SECOND
    counts = {"t": {"phase": {"Running": 2}}}
    status = {"state": {"phase": "Running"}, "retryCount": 1, "runningDuration": "1h0m1s"}
    flows.server.patch(JOB, "ml/f-a", {"status": {**status, "taskStatusCount": counts}})
    flows.work_off()
    assert flows.status["jobStatusList"] == [
        {
            "name": "f-a",
            "state": "Running",
            "startTimestamp": begun,
            "endTimestamp": "2026-05-28T21:26:41Z",
            "restartCount": 1,
            "runningHistories": [
                {"state": "Pending", "startTimestamp": begun, "endTimestamp": later},
                {"state": "Running", "startTimestamp": later},
            ],
        }
    ]
    condition = {"phase": "Running", "createTime": begun, "runningDuration": "1h0m1s"}
    assert flows.status["conditions"] == {"f-a": {**condition, "taskStatusCount": counts}}


def test_a_template_lists_the_jobs_made_of_it(flows):
    flows.add({"name": "a"}, after("b", "a"))
    by_template = {name: flows.server.get(JOB_TEMPLATE, f"ml/{name}") for name in "ab"}
    assert by_template["a"]["status"] == {"jobDependsOnList": ["f-a"]}
    assert "status" not in by_template["b"]
    own = new_object(JOB, "ml", "another")
    own["metadata"]["labels"] = {"volcano.sh/createdByJobTemplate": "ml.a"}
    flows.server.create(own)
    [done] = flows.work_off()
    assert (done.controller, done.outcome) == ("jobtemplate", "done")
    assert flows.server.get(JOB_TEMPLATE, "ml/a")["status"] == {"jobDependsOnList": ["another", "f-a"]}
    flows.server.delete(JOB, "ml/another")
    assert flows.work_off() == []


def test_a_probe_and_a_patch_change_nothing(flows):
    probe = {"taskStatusList": [{"taskName": "main", "phase": "Completed"}]}
    flows.add({"name": "a", "patch": {"jobSpec": {"queue": "other"}}}, after("b", "a", probe=probe))
    assert flows.server.get(JOB, "ml/f-a")["spec"] == {"minAvailable": 1}
    flows.end("a")
    assert flows.jobs == ["f-a", "f-b"]


def test_a_job_says_of_which_template_and_flow_it_is(flows):
    flows.add({"name": "a"})
    metadata = flows.server.get(JOB, "ml/f-a")["metadata"]
    marks = {"volcano.sh/createdByJobTemplate": "ml.a", "volcano.sh/createdByJobFlow": "ml.f"}
    assert metadata["labels"] == metadata["annotations"] == marks
    (owner,) = metadata["ownerReferences"]
    assert (owner["apiVersion"], owner["kind"], owner["name"]) == ("flow.volcano.sh/v1alpha1", "JobFlow", "f")


def test_a_failed_job_ends_the_flow_for_good(flows):
    flows.add({"name": "a"}, after("b", "a"))
    flows.end("a", "Failed")
    assert flows.phase == "Failed"
    flows.end("a")
    assert (flows.jobs, flows.phase) == (["f-a"], "Failed")


def test_jobs_of_a_flow_that_deletes_go_when_it_has_succeeded(flows):
    flows.add({"name": "a"}, jobRetainPolicy="delete")
    flows.end("a", "Running")
    flows.end("a")
    assert (flows.jobs, flows.phase) == ([], "Succeed")


def test_a_missing_template_is_waited_for_and_then_given_up(flows):
    (first,) = flows.add({"name": "z"})
    assert (first.outcome, 'jobtemplate.flow.volcano.sh "z" not found' in first.error) == ("requeued", True)
    begun, done = flows.server.now, []
    while (due := flows.manager.due()) is not None:
        flows.server.now = due
        done += flows.work_off()
    assert [one.outcome for one in done] == ["requeued"] * 14 + ["failed"]
    assert (flows.server.now - begun) // SECOND == 163
    (told,) = done[-1].told
    assert (told.type, told.reason) == ("Warning", "SyncJobFlow")


def test_a_template_that_comes_in_time_is_used(flows):
    flows.add({"name": "z"})
    flows.server.create(new_object(JOB_TEMPLATE, "ml", "z"))
    flows.work_off()
    flows.server.now = flows.manager.due()
    flows.work_off()
    assert flows.jobs == ["f-z"]
    assert flows.manager.due() is None
