"""What the plugin DynamicResources does with a pod's claims, step by step.

`pod_claims.py` says which claims a pod has, `extended_resources.py` which one the scheduler would make for
it, `claims_state.py` what PreFilter and Filter find out of them, `binding.py` what PreBind writes. The plugin
itself is `kube/plugins/dynamic_resources.py`, the search for devices `predicates/devices/`.
"""
