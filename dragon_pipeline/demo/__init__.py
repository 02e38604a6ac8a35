"""The bundled newsroom: Russian news of one invented world, on four invented outlets, served on loopback."""

from datetime import date

FIRST_DAY = date(2025, 9, 1)
DAYS = 6
"""days for which the newsroom has news"""
