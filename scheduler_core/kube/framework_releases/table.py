"""The releases since the framework, by minor release, the newest first."""

from scheduler_core.kube.framework_releases.v1_28 import V1_28
from scheduler_core.kube.framework_releases.v1_29 import V1_29
from scheduler_core.kube.framework_releases.v1_30 import V1_30
from scheduler_core.kube.framework_releases.v1_31 import V1_31
from scheduler_core.kube.framework_releases.v1_32 import V1_32
from scheduler_core.kube.framework_releases.v1_33 import V1_33
from scheduler_core.kube.framework_releases.v1_34 import V1_34
from scheduler_core.kube.framework_releases.v1_35 import V1_35
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.framework_releases.v1_37 import V1_37
from scheduler_core.kube.release import Release

FRAMEWORK_RELEASES: dict[str, Release] = {
    release.minor: release
    for release in (V1_37, V1_36, V1_35, V1_34, V1_33, V1_32, V1_31, V1_30, V1_29, V1_28)
}
