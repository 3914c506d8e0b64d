"""Calls one check that has to be awaited: its time-out, its thread, its errors."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from anyio import CapacityLimiter, move_on_after
from anyio.to_thread import run_sync

if TYPE_CHECKING:
    from ._bound_check import BoundCheck
    from ._grain import Slot
    from ._session import Session
    from ._values import View


async def judge(session: Session, slot: Slot, check: BoundCheck) -> None:
    """Call *check* on a slot and report what comes of it.

    Only what is no ``Exception`` comes out: a cancellation for example.
    """
    view = slot.views[check.slot_place]
    began = perf_counter()
    timeout = check.options.timeout
    call = partial(_call_in_thread, check) if check.in_thread else check.call
    try:
        if timeout is None:
            result = await call(view)
        else:
            with move_on_after(timeout) as scope:
                result = await call(view)
            if scope.cancelled_caught:
                session.record_timeout(slot, check, perf_counter() - began)
                return
    except Exception as error:  # noqa: BLE001 - for the policy of the check
        session.record_error(slot, check, error, perf_counter() - began)
    else:
        session.record(slot, check, result, perf_counter() - began)


async def _call_in_thread(check: BoundCheck, view: View) -> object:
    # A limiter of its own: the shared one of anyio may be used up by other work, and a
    # check that waits for it would look slow.
    if check.limiter is None:
        check.limiter = CapacityLimiter(check.options.parallel)
    return await run_sync(
        check.call,
        view,
        abandon_on_cancel=check.options.timeout is not None,
        limiter=check.limiter,
    )
