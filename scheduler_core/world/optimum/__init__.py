"""The distance to the optimum: what an exact solver would have placed of what a run left pending."""
