"""Scenarios and runs may have more schedulers, and the index of decisions says who decided."""

from django.db import migrations, models

import dashboard.models.documents


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0006_clock_settings")]

    operations = [
        migrations.AddField(
            "scenario", "beside", dashboard.models.documents.DocumentField(blank=True, default=list)
        ),
        migrations.AddField("run", "beside", dashboard.models.documents.DocumentField(default=list)),
        migrations.AddField(
            "decisionindex", "actor", models.CharField(blank=True, default="", max_length=64)
        ),
    ]
