"""Snapshots keep what their import found fault with; those that are there have no list."""

from django.db import migrations

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0013_imports_without_faulty_objects")]

    operations = [migrations.AddField("snapshot", "findings", DocumentField(default=list))]
