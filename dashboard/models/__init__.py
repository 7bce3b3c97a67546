"""The database: snapshots, scenarios, runs with their logs, and credentials."""

from dashboard.models.accounts import ApiToken, Identity, SignInLink
from dashboard.models.attendance import WorkingPart
from dashboard.models.audit import AuditEntry
from dashboard.models.changes_alone import ChangeAlone
from dashboard.models.clusters import Cluster
from dashboard.models.deltas import Delta
from dashboard.models.questions import AnswerPart, Question
from dashboard.models.runs import Checkpoint, Chunk, DecisionIndex, Run
from dashboard.models.scenarios import Controllers, Driver, Scenario
from dashboard.models.served import ServedCluster, ServedObject
from dashboard.models.snapshots import Node, Pod, Snapshot, Upload, Workload
from dashboard.models.sweeps import Sweep, SweepPoint
from dashboard.models.volcano import VolcanoObject

__all__ = [
    "AnswerPart",
    "ApiToken",
    "AuditEntry",
    "ChangeAlone",
    "Checkpoint",
    "Chunk",
    "Cluster",
    "Controllers",
    "DecisionIndex",
    "Delta",
    "Driver",
    "Identity",
    "Node",
    "Pod",
    "Question",
    "Run",
    "Scenario",
    "ServedCluster",
    "ServedObject",
    "SignInLink",
    "Snapshot",
    "Sweep",
    "SweepPoint",
    "Upload",
    "VolcanoObject",
    "WorkingPart",
    "Workload",
]
