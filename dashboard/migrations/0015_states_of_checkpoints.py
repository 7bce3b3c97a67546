"""Checkpoints keep the state that the log has there; those that are there have none, and are read past."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0014_findings_of_imports")]

    operations = [migrations.AddField("checkpoint", "state", models.BinaryField(blank=True, null=True))]
