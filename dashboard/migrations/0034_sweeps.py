"""Sweeps: a scenario under many settings, each point of the grid a run that stands in no list."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import dashboard.models.documents


class Migration(migrations.Migration):
    dependencies = [
        ("dashboard", "0031_kinds_of_questions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Sweep",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("original", dashboard.models.documents.DocumentField()),
                ("dimensions", dashboard.models.documents.DocumentField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "scenario",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sweeps",
                        to="dashboard.scenario",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SweepPoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("place", models.PositiveIntegerField()),
                ("values", dashboard.models.documents.DocumentField()),
                ("is_today", models.BooleanField(default=False)),
                ("problems", dashboard.models.documents.DocumentField(default=list)),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sweep_points",
                        to="dashboard.run",
                    ),
                ),
                (
                    "sweep",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="points",
                        to="dashboard.sweep",
                    ),
                ),
            ],
            options={
                "ordering": ["sweep", "place"],
                "constraints": [
                    models.UniqueConstraint(fields=("sweep", "place"), name="sweep_point_once")
                ],
            },
        ),
    ]
