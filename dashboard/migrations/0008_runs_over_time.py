"""Runs keep how they went over time beside their outcome; those that ended before get it when it is asked for."""

from django.db import migrations

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0007_beside")]

    operations = [migrations.AddField("run", "over_time", DocumentField(blank=True, null=True))]
