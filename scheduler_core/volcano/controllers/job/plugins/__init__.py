"""What job plugins make for a job and change in its pods.

Source: volcano v1.16 pkg/controllers/job/plugins.
"""
