"""The Alibaba GPU trace of 2023 as Kubernetes objects."""
