"""What a worker finds of a snapshot's queues, beside why its pods wait."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dashboard", "0028_answers_of_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="queues",
            field=models.BinaryField(blank=True, null=True),
        ),
    ]
