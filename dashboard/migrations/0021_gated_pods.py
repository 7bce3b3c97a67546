"""Snapshots know how many of their pending pods wait for their scheduling gates; old ones are looked through."""

from collections import Counter

from django.db import migrations, models

AT_ONCE = 500


def count(apps, schema_editor):
    """Count the gated pods of the snapshots that are there."""
    alias = schema_editor.connection.alias
    pods = apps.get_model("dashboard", "Pod").objects.using(alias)
    waiting = pods.filter(node_name="", phase="Pending").values_list("snapshot_id", "object")
    gated = Counter(key for key, pod in waiting.iterator(AT_ONCE) if _is_gated(pod))
    snapshots = apps.get_model("dashboard", "Snapshot").objects.using(alias)
    for key, number in gated.items():
        snapshots.filter(pk=key).update(gated=number)


def _is_gated(pod):
    return bool(pod["spec"].get("schedulingGates")) and not pod["metadata"].get("deletionTimestamp")


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0020_runs_of_samples_of_before")]

    operations = [
        migrations.AddField("snapshot", "gated", models.PositiveIntegerField(default=0)),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
