"""Runs that came with samples before runs could be marked so are nobody's recent ones either."""

from datetime import timedelta

from django.db import migrations
from django.db.models import F

TOGETHER = timedelta(seconds=5)


def mark(apps, schema_editor):
    """Mark the ended runs of samples that were made along with their scenario: no person is as quick."""
    runs = apps.get_model("dashboard", "Run").objects
    runs.filter(
        snapshot__is_sample=True,
        finished_at__isnull=False,
        created_at__lte=F("scenario__created_at") + TOGETHER,
    ).update(background=True)


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0019_runs_in_the_background")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
