"""A small cluster whose GPUs are shared by HAMi, under the four combinations of its policies."""
