"""What one batch takes from the budget of its run."""

import asyncio
from dataclasses import dataclass

from dragon_pipeline.adapters.llm.budget import Budget, Cost

SECONDS_BETWEEN_LOOKS = 0.2
"""at a budget that others hold in reserve"""


class OutOfBudget(Exception):
    """The next request does not fit."""


@dataclass(frozen=True)
class Hold:
    """What one attempt may cost, set aside before it is sent."""

    number: int
    cost: Cost


class Purse:
    """Without a budget it gives freely."""

    def __init__(self, budget: Budget | None, patience: float):
        """`patience`: seconds to wait for other processes that hold the budget."""
        self._budget = budget
        self._patience = patience
        self._held = 0
        self._landed = asyncio.Event()

    async def hold(self, cost: Cost) -> Hold:
        """Waits while those in flight hold more in reserve than they will spend.

        Raises:
            OutOfBudget: it does not fit.
        """
        if self._budget is None:
            return Hold(0, cost)
        waited = 0.0
        while isinstance(reserved := self._budget.reserve(cost), str):
            if reserved == "never" or waited > self._patience:
                raise OutOfBudget
            self._landed.clear()
            try:
                await asyncio.wait_for(self._landed.wait(), SECONDS_BETWEEN_LOOKS)
            except TimeoutError:
                waited += 0 if self._held else SECONDS_BETWEEN_LOOKS
        self._held += 1
        return Hold(reserved, cost)

    def settle(self, hold: Hold, cost: Cost) -> None:
        """`cost`: what the attempt really took."""
        if self._budget is None:
            return
        self._budget.settle(hold.number, cost)
        self._held -= 1
        self._landed.set()
