"""KubeSchedulerConfiguration: read, checked, made into profiles."""
