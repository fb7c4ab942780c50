"""The first thing that runs in every child: set its limits, confine its writes, then become the host.

Run by path: ``python -s -S -P launch.py CONFIG [COMMAND ...]``. ``CONFIG`` is JSON: ``memoryBytes`` (or null),
``writable`` (folders), ``confine`` (bool). With a COMMAND the process is replaced by it (Node, any
executable); without one the Python host beside this file takes over in the same process.

Standard library only: an engine's environment does not hold our package. ``-I`` is not used because it would
ignore PYTHONHASHSEED too; a clean environment with ``-s -S -P`` isolates as much and keeps the seed in force.
"""

import os
import sys

# Landlock (Linux 5.13+): the rights that change files. Reading stays free; engines read shared libraries anywhere.
_WRITE_FILE = 1 << 1
_CHANGES = sum(1 << bit for bit in (1, 4, 5, 6, 7, 8, 9, 10, 11, 12))
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PR_SET_NO_NEW_PRIVS = 38


def limit_memory(limit_bytes: int) -> None:
    """Bound the child's data (Linux: private writable memory, which leaves mapped files and reserved address
    space out, as an index that is mapped should be) or its address space elsewhere."""
    import resource

    kind = resource.RLIMIT_DATA if sys.platform.startswith("linux") else resource.RLIMIT_AS
    resource.setrlimit(kind, (limit_bytes, limit_bytes))


def confine_writes(writable: list[str]) -> bool:
    """Let this process and its children change files only beneath ``writable`` (and existing device files).

    Returns False where the kernel cannot do it; then a cache outside the operation's folders is possible, and
    the report says so.
    """
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    abi = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if abi < 1:
        return False
    handled = _CHANGES | (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0)
    attribute = ctypes.c_uint64(handled)
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.byref(attribute), ctypes.c_size_t(8), 0)
    if ruleset < 0:
        return False

    class PathBeneath(ctypes.Structure):
        _pack_ = 1
        _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]

    device_rights = (_WRITE_FILE | _TRUNCATE) & handled
    for folder, rights in [*((folder, handled) for folder in writable), ("/dev", device_rights)]:
        descriptor = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        rule = PathBeneath(rights, descriptor)
        failed = libc.syscall(_ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
        os.close(descriptor)
        if failed:
            return False
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    confined: bool = libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return confined


def main() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    import lines  # type: ignore[import-not-found]

    config = lines.read(sys.argv[1])
    command = sys.argv[2:]
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if config.get("memoryBytes"):
            limit_memory(config["memoryBytes"])
    if config.get("confine"):
        confine_writes(config["writable"])
    if command:
        os.execv(command[0], command)
    import host  # type: ignore[import-not-found]

    # An adapter may have files of these names beside it.
    sys.path.remove(here)
    del sys.modules["host"], sys.modules["lines"]
    host.main()


if __name__ == "__main__":
    main()
