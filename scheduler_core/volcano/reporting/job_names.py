"""How a job is called for readers: the log names jobs by their pod groups, Volcano names those by uids.

Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go generateRelatedPodGroupName: the job's
name, a hyphen, its uid. `static/js/job-names.js` says the same in the browser.
"""

import re

_OF_A_JOB = re.compile(r"(?P<job>.+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OF_PODS = re.compile(r"(?:.*/)?podgroup")
"""What Volcano calls pod groups that it makes for pods without any: `podgroup-`, their owner's uid."""


def job_name(group: str) -> str:
    """Return a pod group's name, with or without its namespace, without the uid of the job it is made for."""
    found = _OF_A_JOB.fullmatch(group)
    return group if found is None or _OF_PODS.fullmatch(found["job"]) else found["job"]
