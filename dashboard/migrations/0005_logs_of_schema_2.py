"""Logs have another schema: all runs go, for nothing reads the old one; snapshots and scenarios stay.

Kinds and outcomes of decisions are any words now: the engine may learn new ones.
"""

from django.db import migrations, models


def delete_runs(apps, schema_editor):
    """Delete all runs, what belongs to a run before the run itself."""
    for model in ("Checkpoint", "DecisionIndex", "Chunk", "Run"):
        apps.get_model("dashboard", model).objects.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0004_leases_lost_and_given_back")]

    operations = [
        migrations.RunPython(delete_runs, migrations.RunPython.noop),
        migrations.RemoveConstraint("decisionindex", "decision_kind_known"),
        migrations.RemoveConstraint("decisionindex", "decision_outcome_known"),
        migrations.AlterField("decisionindex", "kind", models.CharField(max_length=64)),
        migrations.AlterField("decisionindex", "outcome", models.CharField(max_length=64)),
    ]
