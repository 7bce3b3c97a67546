"""Clusters that are connected: where their API servers are, by what right they are read, and when."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from dashboard.models.documents import DocumentField


class Cluster(models.Model):
    """A cluster whose snapshots are read from its API server.

    sealed: the kubeconfig of its context alone, encrypted by a key outside the database; empty where it is
    in_cluster, read by the service account of the importer's own pod, of which nothing is kept. access: what
    the account may do, as it was told before the last reading ({"listed", "withheld", "beyond"}, kubectl's
    names; "touched": of each that is withheld its kind, and how many pods of the last reading need it); empty
    where the API server hasn't said. checked_at: when it was. every: minutes from one reading to the next; 0:
    only when somebody asks. keep: how many readings stay that nothing depends on.
    """

    name = models.CharField(max_length=100, unique=True)
    context = models.CharField(max_length=253)
    address = models.CharField(max_length=500)
    is_verified = models.BooleanField(default=True)
    sealed = models.BinaryField(default=b"")
    in_cluster = models.BooleanField(default=False)
    access = DocumentField(default=dict)
    checked_at = models.DateTimeField(null=True, blank=True)
    every = models.PositiveIntegerField(default=0)
    keep = models.PositiveIntegerField(default=24)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(name="cluster_keeps_a_reading", condition=Q(keep__gte=1)),
            models.CheckConstraint(name="cluster_is_sealed", condition=~Q(sealed=b"") | Q(in_cluster=True)),
        ]

    def __str__(self) -> str:
        return self.name
