"""Small libraries around a peer, compiled once and kept beside the peer."""

import ctypes
import hashlib
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent / "loops"
KEPT = Path(sys.prefix) / "loops"

POINTER = ctypes.c_void_p
DOUBLES = ctypes.POINTER(ctypes.c_double)


def library(source, compiler, flags):
    """The library of a source of loops/, or None with the reason printed."""
    texts = [path.read_bytes() for path in (SOURCES / source, *sorted(SOURCES.glob("*.hpp")))]
    digest = hashlib.sha256(b"".join(texts) + repr((compiler, flags)).encode()).hexdigest()[:16]
    target = KEPT / f"{source}-{digest}.so"
    if not target.exists():
        KEPT.mkdir(exist_ok=True)
        command = [compiler, "-O3", "-DNDEBUG", "-shared", "-fPIC", str(SOURCES / source), "-o", str(target), *flags]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            print(f"  {source}: there is no {compiler}")
            return None
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            print(f"  {source} cannot be compiled: {(errors or ['?'])[0]}")
            return None
    return ctypes.CDLL(str(target))


def doubles(array):
    """For a C function that takes double*; the array must be contiguous."""
    return array.ctypes.data_as(DOUBLES)
