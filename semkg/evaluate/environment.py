"""What a measurement was made with and on: versions of the packages that matter, and the machine."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import semkg

PACKAGES = ("pyoxigraph", "pyshacl", "usearch", "numpy", "scipy", "tokenizers", "torch", "spacy")

_CPU = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """Where something was measured. `cores`: those that this process may use; `memory_gb`: all that is built in."""

    cpu: str
    cores: int
    memory_gb: float
    system: str


def versions() -> Mapping[str, str]:
    """Package → version: semkg, Python, and those of `PACKAGES` that are installed."""
    found = {"semkg": semkg.__version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def machine() -> Machine:
    """This machine."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Machine(_cpu(), len(os.sched_getaffinity(0)), round(pages / 2**30, 1), f"{platform.system()} {platform.release()}")


def peak_memory_mb() -> float:
    """The most memory that this process has had so far (resident set), in MB of 2^20 bytes."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def _cpu() -> str:
    try:
        lines = _CPU.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
