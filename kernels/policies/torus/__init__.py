"""The Cray T3D of Livermore: its torus, NQS in front of it, its gang scheduler, and UNICOS MAX."""
