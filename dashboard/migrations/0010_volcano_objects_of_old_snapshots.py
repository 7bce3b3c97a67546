"""Snapshots that were there before Volcano's objects had rows get theirs, from their List.

What reads the objects is loaded only where there are snapshots: every start looks at all migrations.
"""

import json

from django.db import migrations

from dashboard.models.packing import unpack

AT_ONCE = 500


def fill(apps, schema_editor):
    """Make the rows of the snapshots that have such objects, and name their pods' groups."""
    snapshots = apps.get_model("dashboard", "Snapshot").objects.using(schema_editor.connection.alias)
    ready = list(snapshots.filter(status="ready").values_list("pk", "counts"))
    if not ready:
        return
    from dashboard.kinds.volcano.services.rows import SHOWN_KINDS

    shown = {str(kind) for kind in SHOWN_KINDS}
    for key, counts in ready:
        if shown & counts.keys():
            snapshot = snapshots.get(pk=key)
            _fill_objects(apps.get_model("dashboard", "VolcanoObject"), snapshot)
            _fill_pods(apps.get_model("dashboard", "Pod"), snapshot)


def _fill_objects(model, snapshot):
    from dashboard.kinds.volcano.services.rows import SHOWN_KINDS, volcano_columns
    from scheduler_core.objects.identity import Owners
    from scheduler_core.objects.kinds import kind_of

    items = json.loads(unpack(snapshot.content))["items"]
    owners = Owners(items)
    known = {field.name for field in model._meta.get_fields()}
    found = (volcano_columns(item, owners) for item in items if kind_of(item) in SHOWN_KINDS)
    rows = [
        model(
            snapshot=snapshot,
            position=position,
            **{name: value for name, value in columns.items() if name in known},
        )
        for position, columns in enumerate(found)
    ]
    model.objects.using(snapshot._state.db).bulk_create(rows, batch_size=AT_ONCE)


def _fill_pods(model, snapshot):
    from dashboard.kinds.volcano.services.rows import group_of_pod

    pods = []
    manager = model.objects.using(snapshot._state.db)
    for pod in manager.filter(snapshot=snapshot).iterator(AT_ONCE):
        pod.group = group_of_pod(pod.object)
        if pod.group:
            pods.append(pod)
    manager.bulk_update(pods, ["group"], batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0009_volcano_objects")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
