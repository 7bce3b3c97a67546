"""Questions about clusters that workers answer, and what was answered, stored once for all who ask."""

from django.db import models

from dashboard.models.documents import DocumentField
from dashboard.models.leased import Leased


class Question(Leased):
    """What is asked of a snapshot's cluster: a row for all who ask the same; it goes with the snapshot.

    key: stands for all that decides the answer. engine: the version that it was asked of, empty of older
    questions. kind: `why` the pods wait, or one of `services/questions/`.
    asked_at: when a worker was last asked for more of it. ended: a reader has ended it. untried: why there
    is no answer, as a sentence. size: of what is stored, in bytes. used_at: when somebody last read it.
    answered_at: when a worker last ended it; null of older ones, and of those that no worker ended.

    asked: the settings that are played, and the question itself; empty for `why`, which follows from the
    snapshot. answer: packed, null until there is one. problems: what is wrong with what was asked, null for
    nothing. number, tried: of how many things how many are done, where that is known. Of `other_names`, whose
    answer is a file, asked holds the secret until a worker has ended it, and then what the file lacks.

    Of `why` alone: kinds: packed, the pods that wait, those that are alike together; null until a worker has
    found them. number: of kinds, and of those that were `tried`. nodes: of the cluster. seconds: how long
    the tries took from the first answer on, `limit`: how long they may. wanted: places of kinds that are
    tried in any case. queues: packed, what the cluster's schedulers say of their queues; null until a worker
    has asked. rests_on: what the answers rest on, null until that is known. `cut`: what nodes say of some
    kinds is not kept, since it is too much.
    """

    WHY = "why"
    OTHER_NAMES = "other_names"

    class Status(models.TextChoices):
        """Asked until a worker has tried what it may, then answered; asked again where more is wanted."""

        ASKED = "asked"
        ANSWERED = "answered"

    snapshot = models.ForeignKey("dashboard.Snapshot", on_delete=models.CASCADE, related_name="questions")
    kind = models.CharField(max_length=16, default=WHY)
    asked = DocumentField(default=dict)
    answer = models.BinaryField(null=True, blank=True)
    problems = DocumentField(null=True, blank=True)
    key = models.CharField(max_length=64, unique=True)
    engine = models.CharField(max_length=64, blank=True, db_default="")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ASKED)
    asked_at = models.DateTimeField()
    used_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    stage = models.CharField(max_length=16, blank=True, default="")
    kinds = models.BinaryField(null=True, blank=True)
    number = models.PositiveIntegerField(default=0)
    tried = models.PositiveIntegerField(default=0)
    nodes = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    limit = models.FloatField(default=0.0)
    wanted = DocumentField(default=list)
    ended = models.BooleanField(default=False)
    untried = models.TextField(blank=True, default="")
    queues = models.BinaryField(null=True, blank=True)
    rests_on = DocumentField(null=True, blank=True)
    cut = models.BooleanField(default=False)
    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="question_status_known", condition=models.Q(status__in=["asked", "answered"])
            ),
            models.CheckConstraint(
                name="question_owner_has_heartbeat",
                condition=models.Q(owner="") | models.Q(heartbeat_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of snapshot {self.snapshot_id}"


class AnswerPart(models.Model):
    """Answers about some kinds of pods, packed: why they wait, and apart from it every node's part in it."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, db_index=False, related_name="parts")
    number = models.PositiveIntegerField()
    answers = models.BinaryField()
    marks = models.BinaryField()

    class Meta:
        ordering = ["question", "number"]
        constraints = [
            models.UniqueConstraint(name="answer_part_once", fields=["question", "number"]),
        ]

    def __str__(self) -> str:
        return f"part {self.number}"
