"""Snapshots keep what their import found fault with; those that are there have no list."""

from django.db import migrations

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0010_volcano_objects_of_old_snapshots")]

    operations = [migrations.AddField("snapshot", "findings", DocumentField(default=list))]
