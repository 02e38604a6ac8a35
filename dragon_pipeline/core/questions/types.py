"""The question types."""

TYPES = ("simple", "set", "multi_hop", "conditional", "comparison")
"""paper §4.2, and comparison: same relation, two comparable values"""
