"""The feature gates of Kubernetes 1.36: those that kube-scheduler reads, with their history, and the others.

Source: kubernetes v1.36 pkg/features/kube_features.go; pkg/scheduler/framework/plugins/feature.
"""

from typing import NamedTuple


class Known(NamedTuple):
    """A gate: `on` says since which minor release of 1 it has which default, the oldest first.

    `locked` is the release since when nobody may set it otherwise; without those that it `needs` it can't be
    on.
    """

    on: tuple[tuple[int, bool], ...]
    locked: int | None = None
    needs: tuple[str, ...] = ()


READ: dict[str, Known] = {
    "DRAAdminAccess": Known(((32, False), (34, True)), locked=36, needs=("DynamicResourceAllocation",)),
    "DRAConsumableCapacity": Known(((34, False), (36, True)), needs=("DynamicResourceAllocation",)),
    "DRADeviceBindingConditions": Known(
        ((34, False), (36, True)), needs=("DynamicResourceAllocation", "DRAResourceClaimDeviceStatus")
    ),
    "DRADeviceTaintRules": Known(((35, False),), needs=("DRADeviceTaints",)),
    "DRADeviceTaints": Known(((33, False), (36, True)), needs=("DynamicResourceAllocation",)),
    "DRAExtendedResource": Known(((34, False), (36, True)), needs=("DynamicResourceAllocation",)),
    "DRAListTypeAttributes": Known(((36, False),), needs=("DynamicResourceAllocation",)),
    "DRANodeAllocatableResources": Known(((36, False),), needs=("DynamicResourceAllocation",)),
    "DRAPartitionableDevices": Known(((33, False), (36, True)), needs=("DynamicResourceAllocation",)),
    "DRAPrioritizedList": Known(((33, False), (34, True)), needs=("DynamicResourceAllocation",)),
    "DRAResourceClaimDeviceStatus": Known(((32, False), (33, True)), needs=("DynamicResourceAllocation",)),
    "DRASchedulerFilterTimeout": Known(((34, True),), needs=("DynamicResourceAllocation",)),
    "DRAWorkloadResourceClaims": Known(
        ((36, False),), needs=("DynamicResourceAllocation", "GenericWorkload")
    ),
    "DynamicResourceAllocation": Known(((26, False), (34, True)), locked=35),
    "GangScheduling": Known(((35, False),), needs=("GenericWorkload",)),
    "GenericWorkload": Known(((35, False),)),
    "InPlacePodLevelResourcesVerticalScaling": Known(
        ((35, False), (36, True)),
        needs=("InPlacePodVerticalScaling", "PodLevelResources", "NodeDeclaredFeatures"),
    ),
    "InPlacePodVerticalScaling": Known(((27, False), (33, True)), locked=35),
    "MatchLabelKeysInPodTopologySpread": Known(((25, False), (27, True))),
    "NodeDeclaredFeatures": Known(((35, False), (36, True))),
    "NodeInclusionPolicyInPodTopologySpread": Known(((25, False), (26, True)), locked=33),
    "NominatedNodeNameForExpectation": Known(((34, False), (35, True))),
    "OpportunisticBatching": Known(((35, True),)),
    "PodLevelResources": Known(((32, False), (34, True))),
    "SchedulerAsyncAPICalls": Known(((34, False),)),
    "SchedulerAsyncPreemption": Known(((32, False), (33, True))),
    "SchedulerPopFromBackoffQ": Known(((33, True),)),
    "SchedulerQueueingHints": Known(((28, False), (32, True)), locked=34),
    "SidecarContainers": Known(((28, False), (29, True))),
    "StorageCapacityScoring": Known(((33, False),)),
    "TaintTolerationComparisonOperators": Known(((35, False),)),
    "TopologyAwareWorkloadScheduling": Known(((36, False),), needs=("GenericWorkload",)),
    "VolumeAttributesClass": Known(((29, False), (34, True)), locked=36),
    "VolumeLimitScaling": Known(((35, False),)),
    "WorkloadAwarePreemption": Known(((36, False),), needs=("GangScheduling",)),
}
"""Those that kube-scheduler reads."""

_UNREAD = """
APIResponseCompression APIServerIdentity APIServerTracing APIServingWithRoutine
AggregatedDiscoveryRemoveBetaType AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
AllowOverwriteTerminationGracePeriodSeconds AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs
AllowUnsafeMalformedObjectDeletion AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
AuthorizeNodeWithSelectors AuthorizePodWebsocketUpgradeCreatePermission AuthorizeWithSelectors
BtreeWatchCache CBORServingAndStorage CPUCFSQuotaPeriod CPUManagerPolicyAlphaOptions
CPUManagerPolicyBetaOptions CPUManagerPolicyOptions CRDObservedGenerationTracking
CRDValidationRatcheting CRIListStreaming CSIServiceAccountTokenSecrets CSIVolumeHealth
ChangeContainerStatusOnKubeletRestart ClearingNominatedNodeNameAfterBinding
CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook ClusterTrustBundle
ClusterTrustBundleProjection ComponentFlagz ComponentStatusz ConcurrentWatchObjectDecode
ConsistentListFromCache ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules
ContainerStopSignals CoordinatedLeaderElection CrossNamespaceVolumeDataSource
CustomResourceFieldSelectors DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus
DeclarativeValidation DeclarativeValidationBeta DeclarativeValidationTakeover
DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency DisableAllocatorDualWrite
DisableCPUQuotaWithExclusiveCPUs DisableNodeKubeProxyVersion EnvFiles EventedPLEG ExecProbeTimeout
ExtendWebSocketsToKubelet ExternalServiceAccountTokenSigner GitRepoVolumeDriver GracefulNodeShutdown
GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HPAScaleToZero HostnameOverride
ImageMaximumGCAge ImageVolume ImageVolumeWithDigest InPlacePodVerticalScalingExclusiveCPUs
InPlacePodVerticalScalingExclusiveMemory InPlacePodVerticalScalingInitContainers
JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy JobSuccessPolicy KMSv1
KubeletCgroupDriverFromCRI KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages
KubeletFineGrainedAuthz KubeletInUserNamespace KubeletPSI KubeletPodResourcesDynamicResources
KubeletPodResourcesGet KubeletPodResourcesListUseActivePods KubeletRegistrationGetOnExistsOnly
KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders KubeletTracing
ListFromCacheSnapshot LocalStorageCapacityIsolationFSQuotaMonitoring LogarithmicScaleDown
ManifestBasedAdmissionControlConfig MatchLabelKeysInPodAffinity
MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet MemoryQoS
MultiCIDRServiceAllocator MutableCSINodeAllocatableCount MutablePVNodeAffinity
MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy
NFTablesProxyMode NodeLogQuery NodeSwap OpenAPIEnums OrderedNamespaceDeletion PLEGOnDemandRelist
PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI PodCertificateRequest PodDeletionCost
PodLevelResourceManagers PodLifecycleSleepAction PodLifecycleSleepActionAllowZero
PodLogsQuerySplitStreams PodObservedGenerationTracking PodReadyToStartContainersCondition
PodSchedulingReadiness PodTopologyLabelsAdmission PodsAPI PortForwardWebsockets
PreferSameTrafficDistribution PreventStaticPodAPIReferences ProcMountType QOSReserved
RecoverVolumeExpansionFailure RecursiveReadOnlyMounts ReduceDefaultCrashLoopBackOffDecay
RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation RelaxedServiceNameValidation
ReloadKubeletClientCAFile ReloadKubeletServerCertificateFile RemoteRequestHeaderUID
ResilientWatchCacheInitialization ResourceHealthStatus ResourceHealthStatusMessage
RestartAllContainersOnContainerExits RetryGenerateName RotateKubeletServerCertificate
RuntimeClassInImageCriAPI SELinuxChangePolicy SELinuxMount SELinuxMountReadWriteOncePod
SeparateCacheWatchRPC SeparateTaintEvictionController ServiceAccountNodeAudienceRestriction
ServiceAccountTokenJTI ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation
ServiceAccountTokenPodNodeInfo ServiceCIDRStatusFieldWiping ShardedListAndWatch
SizeBasedListCostEstimate StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob
StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet
StatefulSetSemanticRevisionComparison StorageNamespaceIndex StorageVersionAPI StorageVersionHash
StorageVersionMigrator StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
StrictIPCIDRValidation StructuredAuthenticationConfiguration
StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics
SupplementalGroupsPolicy SystemdWatchdog TokenRequestServiceAccountUIDValidation
TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions TopologyManagerPolicyOptions
TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
UnknownVersionInteroperabilityProxy UserNamespacesHostNetworkSupport UserNamespacesSupport
WatchCacheInitializationPostStartHook WatchList WinDSR WinOverlay WindowsCPUAndMemoryAffinity
WindowsGracefulNodeShutdown WindowsHostNetwork WorkloadWithJob
"""
UNREAD = frozenset(_UNREAD.split())
"""Those that it doesn't read: they change nothing of its decisions."""
