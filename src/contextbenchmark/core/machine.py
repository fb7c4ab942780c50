"""Where something ran, in words that two machines can be compared by. Reads files and calls only; no process.

``os`` and ``arch`` use Node's names (``linux``, ``darwin``, ``win32``; ``x64``, ``arm64``), which the exchange
format has used from its beginning; names from elsewhere are brought to them on reading.
"""

from __future__ import annotations

import contextlib
import locale
import os
import platform
import sys
from pathlib import Path

from contextbenchmark.core.record import Record

_OS_NAMES = {"windows": "win32", "cygwin": "win32", "macos": "darwin", "macosx": "darwin", "osx": "darwin"}
_ARCH_NAMES = {
    "x86_64": "x64",
    "amd64": "x64",
    "x86-64": "x64",
    "aarch64": "arm64",
    "arm64e": "arm64",
    "i386": "ia32",
    "i686": "ia32",
    "x86": "ia32",
    "armv7l": "arm",
    "armv6l": "arm",
    "ppc64le": "ppc64",
    "riscv64gc": "riscv64",
}


# What process.platform and process.arch of Node can be.
NODE_SYSTEMS = frozenset(
    ("aix", "android", "cygwin", "darwin", "freebsd", "haiku", "linux", "netbsd", "openbsd", "sunos", "win32")
)
NODE_ARCHS = frozenset(
    ("arm", "arm64", "ia32", "loong64", "mips", "mipsel", "ppc", "ppc64", "riscv64", "s390", "s390x", "x64")
)


class Machine(Record):
    """Where it ran; ``os`` and ``arch`` in Node's names (``linux 6.1.0``, ``x64``); memory in bytes."""

    os: str
    arch: str
    cpu: str
    cores: int
    memory_bytes: int
    python: str
    libc: str
    locale: str


def node_os(text: str) -> str:
    """Return an operating system's name and release with the name as Node gives it (``Windows 10`` -> ``win32 10``)."""
    name, _, release = text.strip().partition(" ")
    known = _OS_NAMES.get(name.lower(), name.lower())
    return f"{known} {release.strip()}" if release.strip() else known


def node_arch(text: str) -> str:
    """Return an architecture's name as Node gives it (``x86_64`` -> ``x64``)."""
    name = text.strip().lower()
    return _ARCH_NAMES.get(name, name)


def describe_machine() -> Machine:
    """Return this machine; what cannot be read is ``unknown`` or 0."""
    system = sys.platform if sys.platform in ("linux", "darwin", "win32") else platform.system()
    release = platform.version() if sys.platform == "win32" else platform.release()
    return Machine(
        os=node_os(f"{system} {release}"),
        arch=node_arch(platform.machine()),
        cpu=_cpu(),
        cores=os.cpu_count() or 0,
        memory_bytes=_memory_bytes(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        libc=_libc(),
        locale=_locale(),
    )


def _cpu() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip().lower() in ("model name", "hardware", "cpu model"):
                return " ".join(value.split())
    return platform.processor() or "unknown"


def _memory_bytes() -> int:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    import psutil

    return int(psutil.virtual_memory().total)


def _libc() -> str:
    if sys.platform == "win32":
        return "ucrt"
    if sys.platform == "darwin":
        return f"libSystem {platform.mac_ver()[0]}"
    name, version = platform.libc_ver()
    return f"{name} {version}".strip() or "unknown"


def _locale() -> str:
    with contextlib.suppress(ValueError, locale.Error):
        language, encoding = locale.getlocale()
        return f"{language or 'C'}.{encoding}" if encoding else language or "C"
    return "unknown"
