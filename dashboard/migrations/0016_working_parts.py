"""Workers, importers and reapers tell that they work, wherever they run, so that `/readyz` can say who is missing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0015_states_of_checkpoints")]

    operations = [
        migrations.CreateModel(
            name="WorkingPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=32)),
                ("owner", models.CharField(max_length=120)),
                ("absent_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("name", "owner"), name="working_part_once")]
            },
        )
    ]
