"""Gang scheduling: the policy, its Ousterhout matrix, and turns that are skipped."""
