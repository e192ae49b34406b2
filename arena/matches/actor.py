# SPDX-License-Identifier: GPL-3.0-or-later
"""The actor of one match: one state, one mailbox, one task.

The call that delivers a message also handles it, in order, without waking a task: a move costs too little for that.
While the state allows no handling, messages wait in the mailbox. Work that waits for the store runs in the task, which
sleeps otherwise.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable

from arena.matches.states import FINAL, HANDLING, RefereeEvent, RefereeState, step

Handler = Callable[[], None]
Errand = Callable[[], Awaitable[None]]


class Actor(ABC):
    """Holds the state of a match. A subclass posts handlers and errands, which feed events to it."""

    def __init__(self) -> None:
        """Begin in the first state. The mailbox waits until ``run``."""
        self._state = RefereeState.STARTING
        self._mailbox: deque[Handler] = deque()
        """Messages to handle; includes the first one while it is being handled."""
        self._errand: Errand | None = None
        """The next work of the task."""
        self._called = asyncio.Event()
        """Set when the task has an errand, or the state is final."""

    @abstractmethod
    def _entered(self, before: RefereeState) -> None:
        """Perform the effects of a change of state."""

    @abstractmethod
    def _failed(self, error: Exception) -> None:
        """Go on after a handler or an errand raised."""

    def _feed(self, event: RefereeEvent) -> None:
        """Change the state as the table says. Raises NoTransition."""
        before, self._state = self._state, step(self._state, event)
        if self._state in FINAL:
            self._called.set()
        self._entered(before)

    def _post(self, handler: Handler) -> None:
        """Handle something now or when its turn comes."""
        self._mailbox.append(handler)
        if len(self._mailbox) == 1:  # otherwise another is being handled, perhaps the one that caused this
            self._work()

    def _work_first(self, handler: Handler) -> None:
        """Handle a message before those in the mailbox; handlers must not call this."""
        self._mailbox.appendleft(handler)
        self._work()

    def _work(self) -> None:
        """Handle the messages in the mailbox, as long as the state allows it."""
        while self._mailbox and self._state in HANDLING:
            try:
                self._mailbox[0]()
            except Exception as error:
                self._failed(error)
            self._mailbox.popleft()

    def _call(self, errand: Errand) -> None:
        """Schedule work for the task; replaces its next work."""
        self._errand = errand
        self._called.set()

    async def _run(self, errand: Errand) -> None:
        """Do this errand and those that follow from it, until the state is final."""
        self._call(errand)
        try:
            while self._state not in FINAL:
                await self._called.wait()
                self._called.clear()
                todo, self._errand = self._errand, None
                try:
                    if todo is not None:
                        await todo()
                except Exception as error:
                    if self._state in FINAL:
                        raise
                    self._failed(error)
        finally:
            # break reference cycles, so that the memory is free at once and without the garbage collector
            self._mailbox = deque(maxlen=0)
            self._errand = None
