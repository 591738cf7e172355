"""Exceptions, one for each way in which a call ends without a result."""

from __future__ import annotations

from collections.abc import Mapping


class SynthriskError(Exception):
    """A call without a result. No message holds a value of the table."""

    code: str
    """Stable word to match on, such as ``missing-values``."""
    place: Mapping[str, object]
    """Where it is, as far as it has a place: ``file``, ``row``, ``column`` (a number from 1) and the like."""

    def __init__(self, code: str, message: str, place: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.place = dict(place or {})


class BadInput(SynthriskError):
    """The table, a file or a setting is refused; the message says what to do (exit code 2)."""


class Failed(SynthriskError):
    """The program began and failed (exit code 3)."""


class Interrupted(SynthriskError, KeyboardInterrupt):
    """Somebody stopped the program (exit code 130)."""


BY_EXIT_CODE: Mapping[int, type[SynthriskError]] = {2: BadInput, 3: Failed, 130: Interrupted}
