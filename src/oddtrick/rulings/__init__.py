"""Rulings: what a code gives for an irregularity, and how it is told."""
