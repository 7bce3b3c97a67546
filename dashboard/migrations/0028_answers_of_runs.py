"""The answer of a run that has ended is stored with it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('dashboard', '0027_questions'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='answer',
            field=models.BinaryField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='answered_by',
            field=models.CharField(blank=True, default='', max_length=64),
        ),
    ]
