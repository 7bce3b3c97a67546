"""The lease of a row that a worker writes: who has it, when it was last seen, and how often one was lost."""

from django.db import models


class Leased(models.Model):
    """Work for one worker at a time; `dashboard.services.background.leases` says when a lease may be taken.

    dispatched_at: when a task was last sent for it; null means that none is under way. Of a question that
    has an owner: since when.
    losses: workers lost in a row since something of it was last stored.
    """

    owner = models.CharField(max_length=120, blank=True, default="")
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    dispatched_at = models.DateTimeField(null=True, blank=True)
    losses = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True
