"""What is written to the clusters of scenarios that are served to kube-schedulers."""

import django.db.models.deletion
from django.db import migrations, models

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [
        ("dashboard", "0011_cards_of_nodes"),
    ]

    operations = [
        migrations.CreateModel(
            name="ServedCluster",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveBigIntegerField(default=0)),
                (
                    "scenario",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="served",
                        to="dashboard.scenario",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ServedObject",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("key", models.CharField(max_length=600)),
                ("version", models.PositiveBigIntegerField()),
                ("object", DocumentField(null=True)),
                (
                    "cluster",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="objects_written",
                        to="dashboard.servedcluster",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["cluster", "version"], name="served_object_changes")],
                "constraints": [
                    models.UniqueConstraint(fields=("cluster", "kind", "key"), name="served_object_once")
                ],
            },
        ),
    ]
