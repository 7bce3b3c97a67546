"""Scenarios and runs say when a run in virtual time ends and how long an attempt takes there."""

from django.db import migrations, models
from django.db.models import Q

UNTIL = Q(until__isnull=True) | Q(until__gte=0.001, until__lte=315_360_000)
ATTEMPT = Q(attempt_seconds__gte=0.001, attempt_seconds__lte=60.0)


def of(model: str) -> list[migrations.operations.base.Operation]:
    """Return what a model gets: both settings and the database's checks of them."""
    return [
        migrations.AddField(model, "until", models.FloatField(blank=True, null=True)),
        migrations.AddField(model, "attempt_seconds", models.FloatField(default=0.01)),
        migrations.AddConstraint(
            model, models.CheckConstraint(condition=UNTIL, name=f"{model}_until_in_range")
        ),
        migrations.AddConstraint(
            model, models.CheckConstraint(condition=ATTEMPT, name=f"{model}_attempt_in_range")
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0005_logs_of_schema_2")]

    operations = [*of("scenario"), *of("run")]
