"""kube-scheduler 1.36: the release in which the plugins are written."""

from scheduler_core.kube.registry import DEFAULT_PLUGINS
from scheduler_core.kube.release import Release

V1_36 = Release("1.36", DEFAULT_PLUGINS)
