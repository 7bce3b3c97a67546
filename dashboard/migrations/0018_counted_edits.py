"""Scenarios say how many edits they have, so that lists need not read thousands to count them."""

from typing import Any

from django.db import migrations, models


def count_edits(apps: Any, schema_editor: Any) -> None:
    scenarios = apps.get_model("dashboard", "Scenario").objects
    for key in list(scenarios.values_list("pk", flat=True)):
        row = scenarios.filter(pk=key)
        row.update(edit_count=len(row.values_list("edits", flat=True)[0]))


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0017_digests_of_sessions")]

    operations = [
        migrations.AddField("scenario", "edit_count", models.PositiveIntegerField(default=0)),
        migrations.RunPython(count_edits, migrations.RunPython.noop),
    ]
