"""What was kept by another version is refused in words."""

from __future__ import annotations

from typing import Any

from . import _core
from .errors import VersionError

__all__ = ["check_version"]


def check_version(what: str, version: Any) -> None:
    """Refuses what another version of Catena has pickled."""
    if version != _core.version():
        raise VersionError(
            f"{what} of Catena {version} cannot be read by Catena {_core.version()}",
            "read it with the version that wrote it, or make it again",
        )
