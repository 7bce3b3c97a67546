"""kube-scheduler's plugins, one file each, named as the real ones."""
