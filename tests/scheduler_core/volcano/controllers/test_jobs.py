"""The job controller beyond what is recorded: what each reconcile tells, timeouts, retries, time to live."""

import pytest

from scheduler_core.volcano.controllers.job.job import Job, read_status, written_status
from scheduler_core.volcano.controllers.job.job_cache import JobCache, StaleJob
from scheduler_core.volcano.controllers.kinds import JOB, POD, POD_GROUP, QUEUE, SECRET, SERVICE, is_leaving
from tests.scheduler_core.volcano.controllers.jobs import SECOND, Cluster


@pytest.fixture
def cluster():
    return Cluster()


def writes(reconcile):
    return [(one.verb, one.kind, one.key.split("/")[1]) for one in reconcile.writes]


def test_a_reconcile_tells_what_was_asked_and_what_was_written(cluster):
    cluster.add_job(replicas=2)
    (group,) = cluster.server.list(POD_GROUP)
    done = cluster.enqueue()
    first = done[0]
    assert (first.controller, first.phase, first.action, first.outcome) == (
        "job",
        "Pending",
        "SyncJob",
        "done",
    )
    assert first.cause.key == "default/train"
    assert writes(first) == [
        ("create", POD, "train-worker-0"),
        ("create", POD, "train-worker-1"),
        ("update", JOB, "train"),
    ]
    assert first.writes[0].item == cluster.server.get(POD, "default/train-worker-0")
    annotations = first.writes[0].item["metadata"]["annotations"]
    assert annotations["scheduling.k8s.io/group-name"] == group["metadata"]["name"]


def test_a_reconcile_that_fails_says_why_and_what_the_job_was_told(cluster):
    done = cluster.add_job(plugins={"abacus": []})
    assert [one.outcome for one in done].count("requeued") == 15
    assert done[0].error == "failed to get plugin abacus"
    assert [(told.type, told.reason) for told in done[0].told] == [("Warning", "PluginError")]
    gave_up = next(one for one in done if one.outcome == "failed")
    assert gave_up.told[-1].message == "Job failed on action SyncJob for retry limit reached"


def test_without_a_limit_a_job_is_tried_on_and_on():
    cluster = Cluster(max_retries=-1)
    done = cluster.add_job(queue="nowhere")
    assert {one.outcome for one in done} == {"requeued"}
    assert done[0].error == 'queue.scheduling.volcano.sh "nowhere" not found'


@pytest.fixture
def impatient(cluster):
    policy = {"event": "PodPending", "action": "AbortJob", "timeout": "1m30s"}
    cluster.add_job(replicas=2, policies=[policy])
    cluster.enqueue()
    return cluster


def test_what_waits_is_due_when_its_time_has_come(impatient):
    due = impatient.server.now + 90 * SECOND
    assert impatient.manager.due() == due
    assert impatient.pass_time(89) == []
    impatient.pass_time(1)
    assert (impatient.phase, impatient.pods) == ("Aborted", [])
    assert impatient.manager.due() is None


def test_a_delay_is_told_once_for_each_pod(impatient):
    told = [told.message for one in impatient.done for told in one.told]
    assert told == ["Execute action AbortJob after 1m30s"] * 2


def test_pods_that_leave_pending_in_time_are_left_alone(impatient):
    impatient.set_phase(0, "Running", ready=True)
    impatient.set_phase(1, "Running", ready=True)
    assert impatient.manager.due() is None
    assert impatient.pass_time(100) == []
    assert impatient.phase == "Running"


def test_a_task_restarts_its_own_pods_only_and_keeps_the_pod_group(cluster):
    restart = {"policies": [{"event": "PodFailed", "action": "RestartTask"}]}
    cluster.add_job(replicas=1, task=restart)
    cluster.enqueue()
    cluster.set_phase(0, "Running")
    cluster.set_phase(0, "Failed", state={"terminated": {"exitCode": 1}})
    assert len(cluster.server.list(POD_GROUP)) == 1
    assert cluster.job["status"]["retryCount"] == 1
    assert cluster.job["status"].get("version", 0) == 0
    assert [pod["status"]["phase"] for pod in cluster.server.list(POD)] == ["Pending"]


def finish(cluster, **spec):
    cluster.add_job(replicas=1, **spec)
    cluster.enqueue()
    cluster.set_phase(0, "Running")
    return cluster.set_phase(0, "Succeeded")


def test_a_finished_job_goes_when_its_time_to_live_is_over(cluster):
    finish(cluster, ttlSecondsAfterFinished=60)
    assert cluster.manager.due() == cluster.server.now + 60 * SECOND
    assert cluster.pass_time(59) == []
    deleted = cluster.pass_time(1)[0]
    assert (deleted.controller, deleted.action, writes(deleted)) == (
        "ttl",
        "Delete",
        [("delete", JOB, "train")],
    )
    assert (cluster.server.list(JOB), cluster.pods) == ([], [])


def test_without_time_to_live_a_finished_job_goes_at_once(cluster):
    finish(cluster, ttlSecondsAfterFinished=0)
    assert cluster.server.list(JOB) == []


def test_a_job_that_is_leaving_is_left_alone(cluster):
    cluster.add_job(replicas=1)
    cluster.enqueue()
    cluster.set_phase(0, "Running")
    cluster.server.delete(JOB, "default/train", foreground=True)
    done = cluster.work_off()
    assert is_leaving(cluster.job)
    assert [one.writes for one in done] == [[] for _ in done]
    assert cluster.pods == ["train-worker-0"]


def test_keys_for_ssh_lie_where_the_job_wants_them(cluster):
    cluster.add_job(replicas=1, plugins={"ssh": ["--ssh-key-file-path=/home/u/.ssh"]})
    cluster.enqueue()
    (secret,) = cluster.server.list(SECRET)
    (pod,) = cluster.server.list(POD)
    (volume,) = pod["spec"]["volumes"]
    assert volume["secret"]["secretName"] == secret["metadata"]["name"]
    assert volume["secret"]["defaultMode"] == 0o644
    assert pod["spec"]["containers"][0]["volumeMounts"][0]["mountPath"] == "/home/u/.ssh"


def test_a_partition_restarts_its_own_pods_only(cluster):
    task = {
        "partitionPolicy": {"totalPartitions": 2, "partitionSize": 1, "minPartitions": 1},
        "policies": [{"event": "PodFailed", "action": "RestartPartition"}],
    }
    cluster.add_job(replicas=2, task=task)
    cluster.enqueue()
    cluster.set_phase(0, "Running")
    cluster.set_phase(1, "Running")
    kept = cluster.server.get(POD, "default/train-worker-0")["metadata"]["uid"]
    lost = cluster.server.get(POD, "default/train-worker-1")["metadata"]["uid"]
    cluster.set_phase(1, "Failed")
    assert cluster.server.get(POD, "default/train-worker-0")["metadata"]["uid"] == kept
    assert cluster.server.get(POD, "default/train-worker-1")["metadata"]["uid"] != lost


def test_a_sync_calls_off_nothing_that_waits(impatient):
    due = impatient.manager.due()
    impatient.server.update(impatient.job | {"spec": impatient.job["spec"] | {"maxRetry": 5}})
    assert [one.action for one in impatient.work_off() if one.controller == "job"] == ["SyncJob"]
    assert impatient.manager.due() == due


def test_a_pod_that_is_marked_is_made_anew(cluster):
    cluster.add_job(replicas=1)
    cluster.enqueue()
    before = cluster.server.get(POD, "default/train-worker-0")["metadata"]["uid"]
    mark = {"annotations": {"volcano.sh/controller-out-of-sync": "true"}}
    cluster.server.patch(POD, "default/train-worker-0", {"metadata": mark})
    cluster.work_off()
    assert cluster.server.get(POD, "default/train-worker-0")["metadata"]["uid"] != before


def test_retries_are_counted_from_the_last_success_on():
    patient = Cluster(max_retries=2)
    patient.add_job(replicas=1)
    queue = patient.server.get(QUEUE, "q")
    outcomes = []
    for _ in range(2):
        patient.server.delete(QUEUE, "q")
        patient.server.update(patient.job | {"spec": patient.job["spec"] | {"maxRetry": 5 + len(outcomes)}})
        outcomes += [patient.manager.step().outcome, patient.manager.step().outcome]
        patient.server.create(queue)
        outcomes += [one.outcome for one in patient.work_off()]
    assert outcomes == ["requeued", "requeued", "done"] * 2


def test_what_a_plugin_has_made_is_not_made_twice(cluster):
    cluster.add_job(replicas=1, plugins={"svc": []})
    cluster.enqueue()
    assert cluster.phase == "Pending"
    cluster.server.delete(SERVICE, "default/train")
    cluster.server.update(cluster.job | {"spec": cluster.job["spec"] | {"maxRetry": 5}})
    cluster.work_off()
    assert cluster.server.list(SERVICE) == []


def test_the_cache_takes_no_job_that_is_older_than_its_own(cluster):
    cluster.add_job(replicas=1)
    newer = Job.read(cluster.job)
    older = cluster.job | {"metadata": cluster.job["metadata"] | {"resourceVersion": "1"}}
    cache = JobCache()
    with pytest.raises(StaleJob, match="failed to find"):
        cache.update(newer)
    cache.add(newer)
    with pytest.raises(StaleJob, match="too old"):
        cache.update(Job.read(older))
    assert cache.get("default/train").job is newer


def test_how_long_a_job_ran_is_said_in_gos_words():
    """batch/v1alpha1 job.go JobStatus.RunningDuration is a metav1.Duration."""
    status = read_status({"runningDuration": "1h2m3.5s"})
    assert status.running_seconds == 3723
    assert written_status(status)["runningDuration"] == "1h2m3s"
    assert read_status({"runningDuration": "2.7ms"}).running_seconds == 0


def test_a_minimum_that_becomes_0_is_no_more_in_the_group(cluster):
    """job_controller_actions.go createOrUpdatePodGroup; v1beta1 PodGroupSpec: minMember, omitempty."""
    cluster.add_job(replicas=1)
    cluster.server.update(cluster.job | {"spec": cluster.job["spec"] | {"minAvailable": 0}})
    cluster.work_off()
    (group,) = cluster.server.list(POD_GROUP)
    assert "minMember" not in group["spec"]


def test_the_status_of_a_job_without_pods_is_written_whatever_it_says(cluster):
    """job_controller_actions.go syncJob: reflect.DeepEqual tells a map without pods from none."""
    cluster.add_job(replicas=0, minAvailable=1, plugins={"env": []})
    assert "controlledResources" not in cluster.job["status"]
    cluster.enqueue()
    assert cluster.job["status"]["controlledResources"] == {"plugin-env": "env"}


# -- plugins of frameworks -----------------------------------------------------------------------------


def ports(cluster, pod="train-worker-0"):
    spec = cluster.server.get(POD, f"default/{pod}")["spec"]
    containers = [*spec["containers"], *(spec.get("initContainers") or ())]
    return {one["name"]: [port["containerPort"] for port in one.get("ports") or ()] for one in containers}


@pytest.mark.parametrize(
    ("plugins", "opened"),
    [
        ({"mpi": []}, {"main": [22]}),
        ({"mpi": ["--port=2222"]}, {"main": [2222]}),
        ({"mpi": ["--master=worker", "--worker=nobody"]}, {"main": []}),
        ({"pytorch": []}, {"main": []}),
        ({"pytorch": ["--master=worker"]}, {"main": [23456]}),
        (
            {"pytorch": ["--master=worker", "--wait-master-enabled=true", "--port=99"]},
            {"main": [99], "wait-for-master": []},
        ),
        ({"ray": ["--head=worker", "--headContainer=main", "--port=1"]}, {"main": [1, 8265, 10001]}),
        ({"ray": ["--head=worker"]}, {"main": []}),
        ({"tensorflow": [], "hcclrank": []}, {"main": []}),
    ],
)
def test_a_plugin_of_a_framework_opens_its_ports(cluster, plugins, opened):
    """plugins/distributed-framework: what the API server makes host ports of on the host's network."""
    cluster.add_job(replicas=1, plugins=plugins)
    cluster.enqueue()
    assert ports(cluster) == opened


def test_a_port_that_is_open_is_not_opened_again(cluster):
    container = {"name": "main", "ports": [{"containerPort": 22}]}
    cluster.add_job(replicas=1, task={"template": {"spec": {"containers": [container]}}}, plugins={"mpi": []})
    cluster.enqueue()
    assert ports(cluster) == {"main": [22]}


def test_ray_makes_a_service_for_its_head_and_no_pods_without_one(cluster):
    cluster.add_job(replicas=1, plugins={"ray": []})
    (service,) = cluster.server.list(SERVICE)
    assert service["metadata"]["name"] == "train-head-svc"
    assert service["spec"]["selector"]["volcano.sh/task-spec"] == "head"
    done = cluster.enqueue()
    assert done[0].error == "job train doesn't have head task head"
    assert cluster.pods == []
