"""Runs and their logs: a frozen copy of all that decides, chunks of decisions, an index, checkpoints.

The log is stored once, in `Chunk`s of consecutive decisions; `DecisionIndex` repeats what search needs.
The lease of the worker that writes it is `Leased`'s fields and `attempt`.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from dashboard.models.documents import DocumentField
from dashboard.models.leased import Leased
from dashboard.models.packing import unpack
from dashboard.models.scenarios import (
    ATTEMPT_IN_RANGE,
    CONTROLLERS,
    DRIVERS,
    READY_IN_RANGE,
    UNTIL_IN_RANGE,
    Controllers,
    Driver,
)
from scheduler_core.world.run_input import ATTEMPT_SECONDS, READY_SECONDS

ENDED = ["finished", "cancelled", "failed"]
GIVEN_UP = ["cancelled", "failed"]
NOT_BASELINE = Q(baseline_key="")
"""Of the runs that people asked for."""
WORD_LENGTH = 64
"""Of a decision's kind and outcome."""


class Run(Leased):
    """One execution of a scenario.

    decisions: the number of the last stored decision. base: zstd JSON of the RunState before the first.
    rate: decisions a second, null for as fast as possible. want: what the worker is asked to do next.
    attempt: how often a worker has taken the run over; a worker of an older attempt cannot write.
    error: why it failed, in sentences; problems: the same by object and field, if the input is to blame.
    due_at: when a running run that has given its worker back wants one again. background: started by nobody
    in particular (a sample's), so that it waits for everybody else's runs. baseline: the run of the
    same without the edits, if there is one; baseline_key: of such a run, what stands for all that it was
    asked, else empty. answer: packed, what a run that has ended came to; answered_by: stands for the form of
    answers and for what it was held against: where these are others now, it is made anew.
    """

    class Status(models.TextChoices):
        """Queued, running and paused runs may go on; the others have ended."""

        QUEUED = "queued"
        RUNNING = "running"
        PAUSED = "paused"
        FINISHED = "finished"
        CANCELLED = "cancelled"
        FAILED = "failed"

    class Want(models.TextChoices):
        """What a reader asked of the worker and it has not yet done."""

        NOTHING = ""
        CANCEL = "cancel"
        PAUSE = "pause"

    scenario = models.ForeignKey(
        "dashboard.Scenario", null=True, blank=True, on_delete=models.SET_NULL, related_name="runs"
    )
    snapshot = models.ForeignKey("dashboard.Snapshot", on_delete=models.PROTECT, related_name="runs")
    profile = models.CharField(max_length=32)
    config = DocumentField(null=True, blank=True)
    driver = models.CharField(max_length=16, choices=Driver.choices)
    controllers = models.CharField(max_length=16, choices=Controllers.choices)
    beside = DocumentField(default=list)
    edits = DocumentField(default=list)
    seed = models.BigIntegerField(null=True, blank=True)
    schedule = DocumentField(null=True, blank=True)
    attempt_limit = models.PositiveIntegerField(default=10)
    until = models.FloatField(null=True, blank=True)
    attempt_seconds = models.FloatField(default=ATTEMPT_SECONDS)
    ready_seconds = models.FloatField(default=READY_SECONDS)
    engine_version = models.CharField(max_length=64)
    schema_version = models.PositiveIntegerField()

    status = models.CharField(max_length=16, choices=Status.choices, default=Status.QUEUED)
    decisions = models.PositiveBigIntegerField(default=0)
    base = models.BinaryField(null=True, blank=True)
    trust = DocumentField(null=True, blank=True)
    edit_results = DocumentField(default=list)
    outcome = DocumentField(null=True, blank=True)
    over_time = DocumentField(null=True, blank=True)
    answer = models.BinaryField(null=True, blank=True)
    answered_by = models.CharField(max_length=64, blank=True, default="")
    error = models.TextField(blank=True, default="")
    problems = DocumentField(default=list)
    rate = models.FloatField(null=True, blank=True)
    want = models.CharField(max_length=16, choices=Want.choices, blank=True, default=Want.NOTHING)
    attempt = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    progress = DocumentField(default=dict)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    pinned = models.BooleanField(default=False)
    background = models.BooleanField(default=False)
    baseline_key = models.CharField(max_length=64, blank=True, default="")
    baseline = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="held_against"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="run_baseline_once",
                fields=["snapshot", "baseline_key"],
                condition=~NOT_BASELINE & ~Q(status__in=GIVEN_UP),
            ),
            models.CheckConstraint(
                name="run_status_known",
                condition=Q(status__in=["queued", "running", "paused", *ENDED]),
            ),
            models.CheckConstraint(name="run_want_known", condition=Q(want__in=["", "cancel", "pause"])),
            models.CheckConstraint(name="run_driver_known", condition=Q(driver__in=DRIVERS)),
            models.CheckConstraint(name="run_controllers_known", condition=Q(controllers__in=CONTROLLERS)),
            models.CheckConstraint(name="run_rate_positive", condition=Q(rate__isnull=True) | Q(rate__gt=0)),
            models.CheckConstraint(name="run_attempt_limit_from_1", condition=Q(attempt_limit__gte=1)),
            models.CheckConstraint(name="run_until_in_range", condition=UNTIL_IN_RANGE),
            models.CheckConstraint(name="run_attempt_in_range", condition=ATTEMPT_IN_RANGE),
            models.CheckConstraint(name="run_ready_in_range", condition=READY_IN_RANGE),
            models.CheckConstraint(
                name="run_only_running_is_owned", condition=Q(owner="") | Q(status="running")
            ),
            models.CheckConstraint(
                name="run_owner_has_heartbeat", condition=Q(owner="") | Q(heartbeat_at__isnull=False)
            ),
            models.CheckConstraint(
                name="run_ended_has_time",
                condition=Q(status__in=ENDED, finished_at__isnull=False)
                | (~Q(status__in=ENDED) & Q(finished_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="run_due_is_running_and_free",
                condition=Q(due_at__isnull=True) | Q(status="running", owner=""),
            ),
            models.CheckConstraint(name="run_log_has_base", condition=Q(decisions=0) | Q(base__isnull=False)),
        ]
        indexes = [
            models.Index(fields=["-created_at"], name="run_newest"),
            models.Index(fields=["status", "heartbeat_at"], name="run_status_heartbeat"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"

    @property
    def has_ended(self) -> bool:
        """Whether nothing will be added to the log any more."""
        return self.status in ENDED

    def base_json(self) -> bytes | None:
        """Return the RunState before the first decision as JSON, or None before a worker has made it."""
        return None if self.base is None else unpack(self.base)


class Chunk(models.Model):
    """Consecutive decisions of a run: JSON lines, compressed with zstd."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, db_index=False, related_name="chunks")
    number = models.PositiveIntegerField()
    first_seq = models.PositiveBigIntegerField()
    last_seq = models.PositiveBigIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="chunk_number_once", fields=["run", "number"]),
            models.UniqueConstraint(name="chunk_first_seq_once", fields=["run", "first_seq"]),
            models.UniqueConstraint(name="chunk_last_seq_once", fields=["run", "last_seq"]),
            models.CheckConstraint(name="chunk_number_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="chunk_first_to_last", condition=Q(first_seq__gte=1, first_seq__lte=F("last_seq"))
            ),
        ]

    def __str__(self) -> str:
        return f"decisions {self.first_seq} to {self.last_seq}"

    def lines(self) -> list[bytes]:
        """Return the chunk's decisions, one JSON document each, in order."""
        return unpack(self.data).split(b"\n")


class DecisionIndex(models.Model):
    """What search, filters and stops need to know of a decision.

    kind, outcome: those of the engine's events, which may grow: the database takes any word.
    node: where the pod went, was nominated to, or was evicted from; empty when there is none. actor: who
    decided; empty in the rows of runs that were recorded before it was noted.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, db_index=False, related_name="index")
    seq = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=WORD_LENGTH)
    pod_uid = models.CharField(max_length=253)
    namespace = models.CharField(max_length=253)
    pod_name = models.CharField(max_length=253)
    actor = models.CharField(max_length=WORD_LENGTH, blank=True, default="")
    node = models.CharField(max_length=253, blank=True, default="")
    outcome = models.CharField(max_length=WORD_LENGTH)
    priority = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="decision_seq_once", fields=["run", "seq"]),
            models.CheckConstraint(name="decision_seq_from_1", condition=Q(seq__gte=1)),
        ]
        indexes = [
            models.Index(fields=["run", "outcome", "seq"], name="decision_outcome"),
            models.Index(fields=["run", "pod_uid", "seq"], name="decision_pod_uid"),
            models.Index(fields=["run", "namespace", "pod_name", "seq"], name="decision_pod_name"),
            models.Index(fields=["run", "node", "seq"], name="decision_node"),
        ]

    def __str__(self) -> str:
        return f"decision {self.seq}"


class Checkpoint(models.Model):
    """What is after decision `seq`: `data`, the engine's own state, and `state`, the log's.

    From the first a run resumes and a replay starts, from the second, zstd JSON of the RunState, a fold of
    the log. Not every checkpoint has it, since it may take longer; those of older runs have none.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, db_index=False, related_name="checkpoints")
    seq = models.PositiveBigIntegerField()
    data = models.BinaryField()
    state = models.BinaryField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="checkpoint_seq_once", fields=["run", "seq"]),
            models.CheckConstraint(name="checkpoint_seq_from_1", condition=Q(seq__gte=1)),
        ]

    def __str__(self) -> str:
        return f"checkpoint after {self.seq}"
