"""Questions of other kinds than why pods wait."""

from django.db import migrations, models

import dashboard.models.documents


class Migration(migrations.Migration):
    dependencies = [
        ("dashboard", "0030_changes_alone"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="kind",
            field=models.CharField(default="why", max_length=16),
        ),
        migrations.AddField(
            model_name="question",
            name="asked",
            field=dashboard.models.documents.DocumentField(default=dict),
        ),
        migrations.AddField(
            model_name="question",
            name="answer",
            field=models.BinaryField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="question",
            name="problems",
            field=dashboard.models.documents.DocumentField(blank=True, null=True),
        ),
    ]
