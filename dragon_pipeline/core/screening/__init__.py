"""Screening: every question is judged by every screen, and each refusal has a reason."""
