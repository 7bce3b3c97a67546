"""`kubectl sandtable`: the commands of `sandtable` about the cluster of kubectl's current context."""

from dashboard.command_line.live import OF_KUBECTL
from dashboard.command_line.main import main as sandtable


def main() -> None:
    """Answer as `sandtable` does, of the current context where no cluster is named."""
    sandtable(prog_name="kubectl sandtable", obj=OF_KUBECTL)
