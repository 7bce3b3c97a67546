"""Whole predictions anew: fresh clusters, played on a real control plane and by the engine, side by side."""
