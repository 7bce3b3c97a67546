"""What pods have in common that no plugin can tell apart."""

import msgspec
from msgspec.structs import replace

from scheduler_core.objects.types import PodSpec, Volume
from scheduler_core.state.pods import PodInfo

_encoder = msgspec.msgpack.Encoder()


def signature_of(pod: PodInfo) -> bytes | None:
    """Return what every plugin reads of a pod; None where a plugin reads more than can be told from it.

    That is its namespace and labels, its spec, its owners, and what its status says of its resources. Its
    name, uid and nomination are not in it: what pods with claims get hangs on those too.
    """
    spec, status = pod.pod.spec, pod.pod.status
    for volume in spec.volumes or ():
        if volume.persistent_volume_claim is not None or volume.ephemeral is not None:
            return None
    resized = (
        status.container_statuses,
        status.init_container_statuses,
        status.resources,
        status.allocated_resources,
    )
    return _encoder.encode((pod.label_class, read_of(spec), pod.pod.metadata.owner_references, resized))


def read_of(spec: PodSpec) -> PodSpec:
    """Return a spec without volumes of which plugins read nothing.

    Their names differ from pod to pod: that of a service account's token ends in five random letters.
    """
    volumes = [volume for volume in spec.volumes or () if volume != Volume(name=volume.name)]
    return spec if len(volumes) == len(spec.volumes or ()) else replace(spec, volumes=volumes)
