"""A run with edits is held against one without them, which is marked by what it was asked."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0025_ready_seconds")]

    operations = [
        migrations.AddField(
            "run", "baseline_key", models.CharField(blank=True, default="", max_length=64)
        ),
        migrations.AddField(
            "run",
            "baseline",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="held_against",
                to="dashboard.run",
            ),
        ),
        migrations.AddConstraint(
            "run",
            models.UniqueConstraint(
                fields=["snapshot", "baseline_key"],
                condition=~models.Q(baseline_key="") & ~models.Q(status__in=["cancelled", "failed"]),
                name="run_baseline_once",
            ),
        ),
    ]
