"""Extenders: who is asked beside the plugins, by the rules of kube-scheduler's own HTTP client."""
