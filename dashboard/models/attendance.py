"""Which parts of the product are at work, on whatever machine they run."""

from django.db import models


class WorkingPart(models.Model):
    """A process that has told that it works; written by `dashboard.services.background.attendance`.

    name: what it works as ("worker", "importer", "answerer", "reaper"). owner: the process, as a lease names
    it. absent_at: when it counts as gone, unless it tells again. places: how much it does at a time. engine:
    the version of its engine. Both have defaults in the database, for older code that does not know them.
    """

    name = models.CharField(max_length=32)
    owner = models.CharField(max_length=120)
    absent_at = models.DateTimeField()
    places = models.PositiveSmallIntegerField(db_default=1)
    engine = models.CharField(max_length=64, blank=True, db_default="")

    class Meta:
        constraints = [models.UniqueConstraint(name="working_part_once", fields=["name", "owner"])]

    def __str__(self) -> str:
        return f"{self.name} {self.owner}"
