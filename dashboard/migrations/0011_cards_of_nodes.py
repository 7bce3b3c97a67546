"""Nodes say how many cards they register with HAMi; those of old snapshots, too.

What counts them is loaded only where there are nodes: every start looks at all migrations.
"""

from django.db import migrations, models

AT_ONCE = 500


def fill(apps, schema_editor):
    """Count the cards of all nodes that there are."""
    manager = apps.get_model("dashboard", "Node").objects.using(schema_editor.connection.alias)
    if not manager.exists():
        return
    from scheduler_core.hami.imports.registered_cards import registered_cards

    nodes = []
    for node in manager.order_by("pk").iterator(AT_ONCE):
        node.cards = registered_cards(node.object)
        if node.cards:
            nodes.append(node)
    manager.bulk_update(nodes, ["cards"], batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0010_volcano_objects_of_old_snapshots")]

    operations = [
        migrations.AddField(
            model_name="node",
            name="cards",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
