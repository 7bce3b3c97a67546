"""Scenarios say whether somebody chose their driver. Those of before keep the one that they have."""

from typing import Any

from django.db import migrations, models


def keep_drivers(apps: Any, schema_editor: Any) -> None:
    apps.get_model("dashboard", "Scenario").objects.update(driver_chosen=True)


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0021_gated_pods")]

    operations = [
        migrations.AddField("scenario", "driver_chosen", models.BooleanField(default=False)),
        migrations.RunPython(keep_drivers, migrations.RunPython.noop),
    ]
