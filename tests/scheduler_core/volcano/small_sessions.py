"""Small clusters, a configuration, and what one session makes of them."""

from copy import deepcopy

from recorded.decide import decide
from tests.scheduler_core.volcano.gangs import CREATED

DEFAULT = """\
actions: "{actions}"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
- plugins:
{plugins}
"""


def configuration(actions="enqueue, allocate, backfill", plugins=("predicates", "proportion", "nodeorder")):
    lines = [plugin if isinstance(plugin, str) else plugin[0] for plugin in plugins]
    more = [[] if isinstance(plugin, str) else plugin[1] for plugin in plugins]
    text = ""
    for name, extra in zip(lines, more, strict=True):
        text += f"  - name: {name}\n" + "".join(f"    {line}\n" for line in extra)
    return DEFAULT.format(actions=actions, plugins=text)


def node(name, **allocatable):
    amounts = {"cpu": "4", "memory": "8Gi", "pods": "10"} | allocatable
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "status": {"allocatable": amounts},
    }


def queue(name, **spec):
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name, "creationTimestamp": CREATED},
        "spec": {"weight": 1} | spec,
        "status": {"state": "Open"},
    }


def group(name, members, phase="Inqueue", **spec):
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "ml", "creationTimestamp": CREATED},
        "spec": {"minMember": members, "queue": "research"} | spec,
        "status": {"phase": phase},
    }


def pod(name, of=None, on=None, requests=None, **status):
    annotations = {"scheduling.k8s.io/group-name": of} if of else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "ml",
            "uid": f"uid-{name}",
            "creationTimestamp": CREATED,
            "annotations": annotations,
        },
        "spec": {
            "schedulerName": "volcano" if of else "default-scheduler",
            "containers": [{"name": "c", "image": "i", "resources": {"requests": requests or {}}}],
            **({"nodeName": on} if on else {}),
        },
        "status": {"phase": "Running" if on else "Pending"} | status,
    }


def session(items, config):
    case = {
        "engine": "volcano v1.16",
        "config": config,
        "schedule": [],
        "cluster": {"items": deepcopy(items)},
        "sessions": 1,
    }
    (answer,) = decide(case)["sessions"]
    return answer


def action(answer, name):
    return next(one for one in answer["actions"] if one["name"] == name)
