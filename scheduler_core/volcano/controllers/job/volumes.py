"""A job's volumes: claims that must be there, and claims that are made for it.

Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go createJobIOIfNotExist.
"""

from __future__ import annotations

import hashlib
from itertools import count

from scheduler_core.volcano.controllers.api_client import Api
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.kinds import CLAIM, join, new_object

_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LENGTH = 12


class MissingClaim(Exception):
    """A job names a claim that doesn't exist."""


def random_part(*of: object) -> str:
    """Return the part of a made name that is random in Volcano: here it depends on nothing but its parts."""
    digest = hashlib.sha256("\n".join(str(part) for part in of).encode()).digest()
    return "".join(_CHARACTERS[byte % len(_CHARACTERS)] for byte in digest[:_LENGTH])


def provide_claims(job: Job, api: Api, informers: Informers) -> Job:
    """Make the claims that have no name yet, and write their names into the job's spec.

    Returns the job as it is then, with the status as it was. Raises MissingClaim, ApiError.
    """
    volumes = [dict(volume) for volume in (job.item.get("spec") or {}).get("volumes") or ()]
    named = False
    for index, volume in enumerate(job.spec.volumes or ()):
        name = volume.volume_claim_name
        if not name:
            name = volumes[index]["volumeClaimName"] = _free_name(job, index, informers)
            named = True
            if volume.volume_claim is not None:
                claim = new_object(CLAIM, job.namespace, name, job.as_controller)
                api.create(claim | {"spec": volume.volume_claim})
        elif informers.find(CLAIM, join(job.namespace, name)) is None:
            raise MissingClaim(
                f"pvc {name} is not found, the job will be in the Pending state until the PVC is created"
            )
        job.status.controlled[f"volume-pvc-{name}"] = name
    if not named:
        return job
    written = Job.read(api.update(job.item | {"spec": job.item["spec"] | {"volumes": volumes}}))
    written.status = job.status
    return written


def _free_name(job: Job, index: int, informers: Informers) -> str:
    for attempt in count():
        name = f"{job.name}-pvc-{random_part(job.uid, index, attempt)}"
        if informers.find(CLAIM, join(job.namespace, name)) is None:
            return name
    raise AssertionError("the numbers don't end")
