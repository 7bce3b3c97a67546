"""HAMi's annotation keys, policies and reasons.

Source: HAMi v2.10.0 pkg/util/types.go, pkg/util/nodelock/nodelock.go, pkg/device/common/common.go.
"""

from __future__ import annotations

ASSIGNED_NODE = "hami.io/vgpu-node"
"""Also the key of a label."""
ASSIGNED_TIME = "hami.io/vgpu-time"
BIND_TIME = "hami.io/bind-time"
BIND_PHASE = "hami.io/bind-phase"
ALLOCATING, SUCCESS, FAILED = "allocating", "success", "failed"
NODE_LOCK = "hami.io/mutex.lock"
NODE_POLICY = "hami.io/node-scheduler-policy"
GPU_POLICY = "hami.io/gpu-scheduler-policy"
SCORING_WEIGHTS = "hami.io/device-scoring-weights"
NUMA_BIND = "nvidia.com/numa-bind"
"""NVIDIA's by name; the order of the cards follows it for every vendor."""
IGNORE_LABEL = "hami.io/webhook"
"""With the value `ignore` the webhook isn't asked about a pod."""

BINPACK, SPREAD, NUMA, MUTEX, TOPOLOGY = "binpack", "spread", "numa", "mutex", "topology-aware"

CARD_TYPE_MISMATCH = "CardTypeMismatch"
CARD_UUID_MISMATCH = "CardUuidMismatch"
CARD_TIME_SLICING_EXHAUSTED = "CardTimeSlicingExhausted"
CARD_COMPUTE_UNITS_EXHAUSTED = "CardComputeUnitsExhausted"
CARD_INSUFFICIENT_MEMORY = "CardInsufficientMemory"
CARD_INSUFFICIENT_CORE = "CardInsufficientCore"
CARD_NOT_HEALTHY = "CardNotHealth"
CARD_CORDONED = "CardCordoned"
NUMA_NOT_FIT = "NumaNotFit"
EXCLUSIVE_CONFLICT = "ExclusiveDeviceAllocateConflict"
CARD_NOT_FOUND_BY_RULE = "CardNotFoundCustomFilterRule"
MIG_INFEASIBLE = "CardMigTopologyInfeasible"
NODE_INSUFFICIENT_DEVICE = "NodeInsufficientDevice"
TOO_FEW_CARDS = "AllocatedCardsInsufficientRequest"
QUOTA_NOT_FIT = "ResourceQuotaNotFit"
MODE_NOT_FIT = "ModeNotFit"
CARD_UNHEALTHY = "CardUnhealthy"
CARD_QOS_MISMATCH = "CardQosPolicyMismatch"
CARD_APP_CLASS_MISMATCH = "CardAppClassMismatch"
NODE_UNREGISTERED = "node unregistered"

MIG_ALLOCATIONS = "hami.io/vgpu-mig-allocations"
"""Of a pod: its slices of NVIDIA's cards in MIG mode."""
APP_CLASS = "metax-tech.com/sgpu-app-class"
"""Of a pod: MetaX's classes, online and offline."""
