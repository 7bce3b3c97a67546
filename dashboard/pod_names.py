"""What pods are called: `namespace/name`."""

from typing import Protocol


class InNamespace(Protocol):
    """What has a name in a namespace: a pod's row in the log, or a decision's own word for it."""

    @property
    def namespace(self) -> str: ...

    @property
    def name(self) -> str: ...


def pod_name(pod: InNamespace) -> str:
    """Return `namespace/name`."""
    return f"{pod.namespace}/{pod.name}"
