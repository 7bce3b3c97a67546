"""Scenarios: a snapshot, a scheduler and a list of edits; a draft until a run freezes a copy of it."""

from typing import Any

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from dashboard.models.documents import DocumentField
from scheduler_core.world.run_input import (
    ATTEMPT_SECONDS,
    LATEST,
    LONGEST_ATTEMPT_SECONDS,
    READY_SECONDS,
    SHORTEST_SECONDS,
)

DRIVERS = ["instant", "timed", "fifo", "grace"]
CONTROLLERS = ["recreate", "none"]
UNTIL_IN_RANGE = Q(until__isnull=True) | Q(until__gte=SHORTEST_SECONDS, until__lte=LATEST)
ATTEMPT_IN_RANGE = Q(attempt_seconds__gte=SHORTEST_SECONDS, attempt_seconds__lte=LONGEST_ATTEMPT_SECONDS)
READY_IN_RANGE = Q(ready_seconds__gte=SHORTEST_SECONDS, ready_seconds__lte=LATEST)


class Driver(models.TextChoices):
    """How time passes in a run."""

    INSTANT = "instant"
    TIMED = "timed"
    FIFO = "fifo"
    GRACE = "grace"


class Controllers(models.TextChoices):
    """Whether an evicted pod's controller makes a copy of it."""

    RECREATE = "recreate"
    NONE = "none"


class Scenario(models.Model):
    """What is to be played. `version` grows with every change: the ETag that an update must name.

    edits: in order; one with `"enabled": false` is kept but takes no part. edit_count: how many, for lists
    that need not read them. driver_chosen: whether a person chose the driver, else what is asked chooses it.
    until: seconds after which a run ends whose clock moves, null for some time after the last edit;
    attempt_seconds: how long an attempt takes there; ready_seconds: how long a pod takes from its start until
    it is ready, if no probe says more. Without a clock they are null, ATTEMPT_SECONDS and READY_SECONDS.
    beside: more schedulers of the same cluster, as the engine's Companions.
    """

    name = models.CharField(max_length=200)
    snapshot = models.ForeignKey("dashboard.Snapshot", on_delete=models.PROTECT, related_name="scenarios")
    profile = models.CharField(max_length=32, default="kube-1.37")
    config = DocumentField(null=True, blank=True)
    driver = models.CharField(max_length=16, choices=Driver.choices, default=Driver.INSTANT)
    driver_chosen = models.BooleanField(default=False)
    controllers = models.CharField(max_length=16, choices=Controllers.choices, default=Controllers.RECREATE)
    beside = DocumentField(default=list, blank=True)
    edits = DocumentField(default=list, blank=True)
    edit_count = models.PositiveIntegerField(default=0)
    seed = models.BigIntegerField(null=True, blank=True)
    until = models.FloatField(null=True, blank=True)
    attempt_seconds = models.FloatField(default=ATTEMPT_SECONDS)
    ready_seconds = models.FloatField(default=READY_SECONDS)
    version = models.PositiveIntegerField(default=1, validators=[MinValueValidator(1)])
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="scenario_driver_known", condition=Q(driver__in=DRIVERS)),
            models.CheckConstraint(
                name="scenario_controllers_known", condition=Q(controllers__in=CONTROLLERS)
            ),
            models.CheckConstraint(name="scenario_version_from_1", condition=Q(version__gte=1)),
            models.CheckConstraint(name="scenario_profile_named", condition=~Q(profile="")),
            models.CheckConstraint(name="scenario_until_in_range", condition=UNTIL_IN_RANGE),
            models.CheckConstraint(name="scenario_attempt_in_range", condition=ATTEMPT_IN_RANGE),
            models.CheckConstraint(name="scenario_ready_in_range", condition=READY_IN_RANGE),
        ]
        indexes = [models.Index(fields=["-updated_at"], name="scenario_newest")]

    def __str__(self) -> str:
        return self.name

    def save(self, *arguments: Any, **options: Any) -> None:
        """Store the scenario and how many edits it has."""
        self.edit_count = len(self.edits)
        super().save(*arguments, **options)

    def active_edits(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the edits that are not switched off, as a run takes them, each with its place."""
        return [(place, without_switch(edit)) for place, edit in enumerate(self.edits) if is_active(edit)]


def is_active(edit: Any) -> bool:
    """Return whether an edit takes part in a run; what is no edit is left to those who read it."""
    return not isinstance(edit, dict) or bool(edit.get("enabled", True))


def without_switch(edit: Any) -> Any:
    """Return the edit as the engine knows it: whether it is switched off is the scenario's affair."""
    if not isinstance(edit, dict):
        return edit
    return {name: value for name, value in edit.items() if name != "enabled"}
