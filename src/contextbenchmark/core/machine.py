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

_OS_NAMES = {
    "windows": "win32",
    "windows_nt": "win32",
    "macos": "darwin",
    "macosx": "darwin",
    "osx": "darwin",
    "gnu/linux": "linux",
}
# What uname prints in the POSIX shells of Windows has the release in the name: CYGWIN_NT-10.0.
_WINDOWS_SHELLS = ("cygwin", "mingw32_nt", "mingw64_nt", "msys_nt")
_ARCH_NAMES = {
    "x86_64": "x64",
    "amd64": "x64",
    "x86-64": "x64",
    "aarch64": "arm64",
    "arm64e": "arm64",
    "i386": "ia32",
    "i686": "ia32",
    "x86": "ia32",
    "i586": "ia32",
    "x86_32": "ia32",
    "armv8l": "arm",
    "armv7l": "arm",
    "armv6l": "arm",
    "loongarch64": "loong64",
    "powerpc64": "ppc64",
    "ppc64le": "ppc64",
    "riscv64gc": "riscv64",
}
# What a 64-bit kernel calls itself, and what a 32-bit process on it is.
_NARROW = {"x64": "ia32", "arm64": "arm", "ppc64": "ppc", "s390x": "s390"}


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
    """Return an operating system's name and release with the name as Node gives it (``Windows 10`` -> ``win32 10``).

    A name that is not known stays, in lower case.
    """
    name, *release = text.split() or [""]
    known = _OS_NAMES.get(name.lower(), name.lower())
    if known.startswith(_WINDOWS_SHELLS):
        known = "win32"
    return " ".join((known, *release))


def node_arch(text: str) -> str:
    """Return an architecture's name as Node gives it (``x86_64`` -> ``x64``)."""
    name = text.strip().lower()
    return _ARCH_NAMES.get(name, name)


def describe_machine() -> Machine:
    """Return this machine; what cannot be read is ``unknown`` or 0."""
    system = sys.platform if sys.platform in ("linux", "darwin", "win32") else platform.system()
    arch = node_arch(platform.machine())
    return Machine(
        os=node_os(f"{system} {_release()}"),
        arch=arch if sys.maxsize > 2**32 else _NARROW.get(arch, arch),
        cpu=_cpu(),
        cores=os.cpu_count() or 0,
        memory_bytes=_memory_bytes(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        libc=_libc(),
        locale=_locale(),
    )


def _release() -> str:
    if sys.platform == "win32":
        found = sys.getwindowsversion()
        return f"{found.major}.{found.minor}.{found.build}"
    return platform.release()


def _cpu() -> str:
    """Return the processor's name. Not ``platform.processor()``: on POSIX systems it starts a process."""
    if sys.platform == "win32":
        return _windows_cpu()
    if sys.platform == "darwin":
        return _mac_cpu()
    with contextlib.suppress(OSError):
        return cpu_in(Path("/proc/cpuinfo").read_text("utf-8", "replace"))
    return "unknown"


def cpu_in(text: str) -> str:
    """Return the processor's name from the text of Linux's ``/proc/cpuinfo``, ``unknown`` where it has none.

    On Arm the kernel gives numbers instead of a name: implementer and part, which together tell the core.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon and value.strip():
            found.setdefault(key.strip().lower(), " ".join(value.split()))
    for key in ("model name", "cpu model", "hardware", "uarch", "cpu"):
        if key in found:
            return found[key]
    if "cpu part" in found:
        return f"implementer {found.get('cpu implementer', 'unknown')} part {found['cpu part']}"
    return "unknown"


def _mac_cpu() -> str:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        name, length = ctypes.create_string_buffer(256), ctypes.c_size_t(256)
        if libc.sysctlbyname(b"machdep.cpu.brand_string", name, ctypes.byref(length), None, 0) == 0:
            return " ".join(name.value.decode("utf-8", "replace").split()) or "unknown"
    return "unknown"


def _windows_cpu() -> str:
    if sys.platform == "win32":
        import winreg

        place = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
        with contextlib.suppress(OSError), winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
            return " ".join(str(winreg.QueryValueEx(key, "ProcessorNameString")[0]).split())
    return os.environ.get("PROCESSOR_IDENTIFIER", "unknown")


def _memory_bytes() -> int:
    if sys.platform != "win32":
        with contextlib.suppress(OSError, ValueError):
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    import psutil

    return int(psutil.virtual_memory().total)


def _libc() -> str:
    if sys.platform == "win32":
        return "ucrt"
    if sys.platform == "darwin":
        return f"libSystem {platform.mac_ver()[0]}"
    name, version = platform.libc_ver()
    if not name and any(Path("/lib").glob("ld-musl-*")):
        name = "musl"
    return f"{name} {version}".strip() or "unknown"


def _locale() -> str:
    # Asked of the C library: locale.getlocale() takes C.UTF-8 for en_US.UTF-8.
    with contextlib.suppress(locale.Error):
        return locale.setlocale(locale.LC_CTYPE, None) or "unknown"
    return "unknown"
