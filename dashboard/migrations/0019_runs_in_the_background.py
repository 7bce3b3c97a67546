"""Runs that nobody in particular has started wait for everybody else's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0018_counted_edits")]

    operations = [migrations.AddField("run", "background", models.BooleanField(default=False))]
