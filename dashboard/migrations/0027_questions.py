"""Questions that workers answer, with the parts of their answers."""

import dashboard.models.documents
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dashboard", "0026_runs_without_edits"),
    ]

    operations = [
        migrations.CreateModel(
            name="Question",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("owner", models.CharField(blank=True, default="", max_length=120)),
                ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                ("dispatched_at", models.DateTimeField(blank=True, null=True)),
                ("losses", models.PositiveSmallIntegerField(default=0)),
                ("key", models.CharField(max_length=64, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("asked", "Asked"), ("answered", "Answered")], default="asked", max_length=16
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("used_at", models.DateTimeField()),
                ("stage", models.CharField(blank=True, default="", max_length=16)),
                ("kinds", models.BinaryField(blank=True, null=True)),
                ("number", models.PositiveIntegerField(default=0)),
                ("tried", models.PositiveIntegerField(default=0)),
                ("nodes", models.PositiveIntegerField(default=0)),
                ("seconds", models.FloatField(default=0.0)),
                ("limit", models.FloatField(default=0.0)),
                ("wanted", dashboard.models.documents.DocumentField(default=list)),
                ("ended", models.BooleanField(default=False)),
                ("untried", models.TextField(blank=True, default="")),
                ("cut", models.BooleanField(default=False)),
                ("size", models.PositiveBigIntegerField(default=0)),
                (
                    "snapshot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="questions",
                        to="dashboard.snapshot",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AnswerPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("answers", models.BinaryField()),
                ("marks", models.BinaryField()),
                (
                    "question",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="dashboard.question",
                    ),
                ),
            ],
            options={
                "ordering": ["question", "number"],
            },
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["asked", "answered"])), name="question_status_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(("owner", ""), ("heartbeat_at__isnull", False), _connector="OR"),
                name="question_owner_has_heartbeat",
            ),
        ),
        migrations.AddConstraint(
            model_name="answerpart",
            constraint=models.UniqueConstraint(fields=("question", "number"), name="answer_part_once"),
        ),
    ]
