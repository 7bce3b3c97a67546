"""Runs that have one change alone of those in which two runs differ: which comparison needs which run."""

from django.db import models

from dashboard.models.runs import Run


class ChangeAlone(models.Model):
    """A change between the runs `a` and `b`, and the `run` that was asked what a was, but for it.

    place: its number among the changes between the two, from 0.
    """

    a = models.ForeignKey(Run, on_delete=models.CASCADE, db_index=False, related_name="+")
    b = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    place = models.PositiveIntegerField()
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="alone_for")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="change_alone_once", fields=["a", "b", "place"]),
        ]

    def __str__(self) -> str:
        return f"change {self.place} between {self.a_id} and {self.b_id}"
