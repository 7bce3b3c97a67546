"""Readings of connected clusters that are put away as deltas; nothing that is stored changes.

An older server or worker takes a snapshot that is `away` or `returning` for one that is not ready.
"""

import django.db.models.deletion
from django.db import migrations, models

KNOWN = ["importing", "ready", "failed", "away", "returning"]
BEGINS = models.Q(newer__isnull=False, base=b"") | models.Q(newer=None) & ~models.Q(base=b"")


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0040_identities")]

    operations = [
        migrations.AddField("snapshot", "needed_at", models.DateTimeField(blank=True, null=True)),
        migrations.AlterField(
            "snapshot",
            "status",
            models.CharField(
                choices=[(status, status.capitalize()) for status in KNOWN],
                default="importing",
                max_length=16,
            ),
        ),
        migrations.RemoveConstraint("snapshot", "snapshot_status_known"),
        migrations.AddConstraint(
            "snapshot",
            models.CheckConstraint(condition=models.Q(status__in=KNOWN), name="snapshot_status_known"),
        ),
        migrations.CreateModel(
            "Delta",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "snapshot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="delta",
                        to="dashboard.snapshot",
                    ),
                ),
                (
                    "newer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="told_from_it",
                        to="dashboard.snapshot",
                    ),
                ),
                ("base", models.BinaryField(default=b"")),
                ("differences", models.BinaryField()),
                ("size", models.PositiveBigIntegerField()),
                ("put_away_at", models.DateTimeField()),
                ("has_rows", models.BooleanField(default=True)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=BEGINS, name="delta_begins_somewhere")]
            },
        ),
    ]
