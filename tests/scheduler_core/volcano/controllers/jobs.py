"""A small cluster with Volcano's job controller, for tests."""

from scheduler_core.volcano.controllers.job.controller import JobController
from scheduler_core.volcano.controllers.kinds import (
    JOB,
    POD,
    POD_GROUP,
    QUEUE,
    api_version,
    key_of,
    new_object,
)
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.memory_api import MemoryApi
from scheduler_core.volcano.controllers.ttl import TtlController

SECOND = 10**9


class Cluster:
    """An API server with a queue, and the controllers of jobs. What they did last is in `done`."""

    def __init__(self, max_retries=15):
        self.server = MemoryApi(1_780_000_000 * SECOND)
        self.manager = Manager(self.server)
        self.jobs = JobController(self.manager.api, self.manager.informers, max_retries)
        self.ttl = TtlController(self.manager.api, self.manager.informers)
        self.manager.controllers = [self.jobs, self.ttl]
        self.server.create({"apiVersion": api_version(QUEUE), "kind": "Queue", "metadata": {"name": "q"}})
        self.work_off()

    def work_off(self, limit=200):
        self.done = []
        while len(self.done) < limit and (one := self.manager.step()) is not None:
            self.done.append(one)
        return self.done

    def add_job(self, replicas=2, task=None, **spec):
        template = {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]}}
        tasks = [{"name": "worker", "replicas": replicas, "template": template} | (task or {})]
        job = new_object(JOB, "default", "train")
        job["spec"] = {"queue": "q", "minAvailable": replicas, "maxRetry": 3, "tasks": tasks} | spec
        self.server.create(job)
        return self.work_off()

    def enqueue(self):
        for group in self.server.list(POD_GROUP):
            self.server.patch(POD_GROUP, key_of(group), {"status": {"phase": "Inqueue"}})
        return self.work_off()

    def set_phase(self, index, phase, **container):
        status = {"phase": phase, "containerStatuses": [container]}
        self.server.patch(POD, f"default/train-worker-{index}", {"spec": {"nodeName": "n"}, "status": status})
        return self.work_off()

    def pass_time(self, seconds):
        self.server.now += int(seconds * SECOND)
        return self.work_off()

    @property
    def job(self):
        return self.server.get(JOB, "default/train")

    @property
    def phase(self):
        return self.job["status"]["state"]["phase"]

    @property
    def pods(self):
        return [pod["metadata"]["name"] for pod in self.server.list(POD)]
