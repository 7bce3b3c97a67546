"""What can be done to ticked Jobs of Volcano's: what its admission webhook lets through of Jobs."""

from dashboard.views.tick_actions import Action
from scheduler_core.world.edits.operations.base import Field

JOB_ACTIONS = [
    Action("evict", "Evict their pods"),
    Action(
        "patch-priority",
        "Change their priority",
        fields=(Field("priorityClassName", "Priority class", "text"),),
        of="patch",
    ),
    Action(
        "patch-minimum",
        "Change their minimum",
        fields=(Field("minAvailable", "Pods that must start together", "count"),),
        of="patch",
    ),
    Action("delete", "Delete"),
]
"""A Job's queue can't be changed: the webhook refuses it."""
