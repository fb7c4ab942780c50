"""Machines are described in Node's names, without starting a process."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextbenchmark.core.machine import (
    NODE_ARCHS,
    NODE_SYSTEMS,
    cpu_in,
    describe_machine,
    node_arch,
    node_os,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("linux 6.1.0", "linux 6.1.0"),
        ("Linux 6.1.0-18-amd64", "linux 6.1.0-18-amd64"),
        ("win32 10.0.19045", "win32 10.0.19045"),
        ("Windows 10", "win32 10"),
        ("Windows_NT 10.0.19045", "win32 10.0.19045"),  # os.type() of Node
        ("MINGW64_NT-10.0-19045 3.4.6", "win32 3.4.6"),  # uname -sr in the shell that Git brings to Windows
        ("CYGWIN_NT-10.0 3.4", "win32 3.4"),
        ("Darwin 23.1.0", "darwin 23.1.0"),
        ("macOS 14.2", "darwin 14.2"),
        ("FreeBSD 14.0", "freebsd 14.0"),
        ("  Linux\t6.1.0\n", "linux 6.1.0"),
        ("Linux", "linux"),
        ("", ""),
        ("TempleOS 5", "templeos 5"),
    ],
)
def test_systems_in_nodes_names(text: str, expected: str) -> None:
    assert node_os(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x86_64", "x64"),
        ("AMD64", "x64"),
        ("x64", "x64"),
        ("aarch64", "arm64"),
        ("ARM64", "arm64"),
        ("i686", "ia32"),
        ("x86", "ia32"),
        ("armv7l", "arm"),
        ("loongarch64", "loong64"),
        ("ppc64le", "ppc64"),
        (" s390x ", "s390x"),
        ("sparc64", "sparc64"),
    ],
)
def test_architectures_in_nodes_names(text: str, expected: str) -> None:
    assert node_arch(text) == expected


@given(st.text(max_size=30))
def test_a_name_once_brought_to_nodes_stays(text: str) -> None:
    assert node_os(node_os(text)) == node_os(text)
    assert node_arch(node_arch(text)) == node_arch(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R)  CPU E5\n", "Intel(R) Xeon(R) CPU E5"),
        ("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "implementer 0x41 part 0xd0c"),
        ("processor\t: 0\nuarch\t\t: sifive,u74-mc\n", "sifive,u74-mc"),
        ("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n", "POWER9, altivec supported"),
        ("model name\t: \nnothing here\n", "unknown"),
        ("", "unknown"),
    ],
    ids=["x64", "arm64", "riscv64", "ppc64", "blank", "empty"],
)  # fmt: skip
def test_the_processor_as_kernels_write_it(text: str, expected: str) -> None:
    assert cpu_in(text) == expected


def test_this_machine() -> None:
    found = describe_machine()
    system, _, release = found.os.partition(" ")
    assert (system, found.arch in NODE_ARCHS) == (sys.platform, True) and system in NODE_SYSTEMS
    assert release and found.cpu and found.libc and found.locale
    assert found.cores == os.cpu_count()
    assert found.memory_bytes > 1 << 26
    assert found.python == f"{platform.python_implementation()} {platform.python_version()}"
    assert found == describe_machine()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="compares with what Linux says")
def test_this_machine_as_its_kernel_and_c_library_tell_it() -> None:
    found = describe_machine()
    assert found.os == f"linux {Path('/proc/sys/kernel/osrelease').read_text().strip()}"
    total = next(
        line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal")
    )
    assert abs(found.memory_bytes - int(total.split()[1]) * 1024) < 1 << 20
    if "glibc" in found.libc:
        assert found.libc == os.confstr("CS_GNU_LIBC_VERSION")


def test_the_locale_is_what_the_c_library_says() -> None:
    """Python's own getlocale() takes C.UTF-8 for en_US.UTF-8."""
    program = "from contextbenchmark.core.machine import describe_machine as d; print(d().locale)"
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in ("C.UTF-8", "C.utf8")


def test_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a process was started")

    for name in ("Popen", "run", "check_output"):
        monkeypatch.setattr(subprocess, name, refuse)
    monkeypatch.setattr(os, "system", refuse)
    monkeypatch.setattr(os, "popen", refuse)
    describe_machine()
