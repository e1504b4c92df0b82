"""What a lesson has beside its machine and its jobs: the questions, and the steps of a tour."""
