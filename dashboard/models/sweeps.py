"""Sweeps: a scenario under many settings, each point of the grid a run that stands in no list."""

from django.conf import settings
from django.db import models

from dashboard.models.documents import DocumentField
from dashboard.models.runs import Run


class Sweep(models.Model):
    """What of a scenario varies; it goes with the scenario.

    original: the scenario's fields as they were when the sweep was asked for. dimensions: those of
    `services/workspace/sweeps/dimensions.py`, as documents, with all their values.
    """

    scenario = models.ForeignKey("dashboard.Scenario", on_delete=models.CASCADE, related_name="sweeps")
    original = DocumentField()
    dimensions = DocumentField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"sweep {self.pk}"


class SweepPoint(models.Model):
    """A point of the grid: the place of its value in each dimension, null for what the scenario has.

    is_today: it has the scenario's own settings, whatever its seed. run: null where none is possible, then
    `problems` say why, or where somebody has deleted it.
    """

    sweep = models.ForeignKey(Sweep, on_delete=models.CASCADE, db_index=False, related_name="points")
    place = models.PositiveIntegerField()
    values = DocumentField()
    is_today = models.BooleanField(default=False)
    run = models.ForeignKey(
        Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="sweep_points"
    )
    problems = DocumentField(default=list)

    class Meta:
        ordering = ["sweep", "place"]
        constraints = [
            models.UniqueConstraint(name="sweep_point_once", fields=["sweep", "place"]),
        ]

    def __str__(self) -> str:
        return f"point {self.place} of sweep {self.sweep_id}"
