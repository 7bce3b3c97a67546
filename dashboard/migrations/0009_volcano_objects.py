"""Snapshots keep Volcano's Jobs, PodGroups and Queues as rows."""

import django.db.models.deletion
from django.db import migrations, models

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0008_runs_over_time")]

    operations = [
        migrations.AddField("pod", "group", models.CharField(blank=True, default="", max_length=600)),
        migrations.AddIndex("pod", models.Index(fields=["snapshot", "group"], name="pod_group")),
        migrations.CreateModel(
            name="VolcanoObject",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=63)),
                ("namespace", models.CharField(blank=True, default="", max_length=253)),
                ("name", models.CharField(max_length=253)),
                ("queue", models.CharField(blank=True, default="", max_length=253)),
                ("owner", models.CharField(blank=True, default="", max_length=600)),
                ("phase", models.CharField(blank=True, default="", max_length=32)),
                ("minimum", models.PositiveBigIntegerField(blank=True, null=True)),
                ("running", models.PositiveBigIntegerField(blank=True, null=True)),
                ("weight", models.PositiveBigIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField(blank=True, null=True)),
                ("object", DocumentField()),
                (
                    "snapshot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="volcano",
                        to="dashboard.snapshot",
                    ),
                ),
            ],
            options={
                "ordering": ["snapshot", "position"],
                "indexes": [
                    models.Index(fields=["snapshot", "kind", "queue"], name="volcano_queue"),
                    models.Index(fields=["snapshot", "kind", "owner"], name="volcano_owner"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("snapshot", "kind", "namespace", "name"), name="volcano_once"
                    ),
                    models.UniqueConstraint(fields=("snapshot", "position"), name="volcano_position_once"),
                ],
            },
        ),
    ]
