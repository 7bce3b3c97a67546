"""Scenarios and runs say how long a pod takes from its start until it is ready, where a clock moves."""

from django.db import migrations, models
from django.db.models import Q

READY = Q(ready_seconds__gte=0.001, ready_seconds__lte=315_360_000)


def of(model: str) -> list[migrations.operations.base.Operation]:
    """Return what a model gets: the setting and the database's check of it."""
    return [
        migrations.AddField(model, "ready_seconds", models.FloatField(default=20.0)),
        migrations.AddConstraint(
            model, models.CheckConstraint(condition=READY, name=f"{model}_ready_in_range")
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0024_newer_default_release")]

    operations = [*of("scenario"), *of("run")]
