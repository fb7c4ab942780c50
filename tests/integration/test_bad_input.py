"""Bad input, through the command line as people meet it: what is wrong, where, the remedy; the exit code; no trace."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from contextbenchmark.__main__ import run as command_line
from contextbenchmark.errors import EXIT_MISTAKE
from contextbenchmark.trust.corpus import load_corpus
from contextbenchmark.trust.pipeline import Request
from contextbenchmark.trust.pipeline import run as run_request
from contextbenchmark.trust.record import Parameters
from tests.integration.conftest import WriteAdapter

HUGE = 1 << 30
DEEP = "[" * 10_000 + "]" * 10_000


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(30):
        (folder / f"d{number}.md").write_text(f"word{number} alpha{number % 5} beta{number % 3}\n")
    (folder / "queries.json").write_text('["alpha1 word3", "beta2 word9", "alpha4 beta0"]')
    return folder


def queries(text: str | bytes) -> Callable[[Path], None]:
    def spoil(corpus: Path) -> None:
        (corpus / "queries.json").write_bytes(text if isinstance(text, bytes) else text.encode())

    return spoil


def huge_queries(corpus: Path) -> None:
    os.truncate(corpus / "queries.json", HUGE)


def without_queries(corpus: Path) -> None:
    (corpus / "queries.json").unlink()


def queries_are_a_link_out(corpus: Path) -> None:
    without_queries(corpus)
    (corpus / "queries.json").symlink_to("/etc/hosts")


def gone(corpus: Path) -> None:
    shutil.rmtree(corpus)


def empty(corpus: Path) -> None:
    gone(corpus)
    corpus.mkdir()


def name_that_is_not_utf8(corpus: Path) -> None:
    with open(os.fsencode(corpus) + b"/caf\xe9.md", "w"):
        pass


def linked(name: str, target: str) -> Callable[[Path], None]:
    return lambda corpus: (corpus / name).symlink_to(target)


def circle(corpus: Path) -> None:
    (corpus / "one").symlink_to("two")
    (corpus / "two").symlink_to("one")


def unix_socket(corpus: Path) -> None:
    before = Path.cwd()
    os.chdir(corpus)  # the path of a socket may have 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("s")
    finally:
        os.chdir(before)


CORPORA: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (gone, "There is no corpus or folder called"),
    "empty": (empty, "There are no documents in"),
    "no queries file": (without_queries, "has no queries.json"),
    "no queries": (queries("[]"), "There are no queries in"),
    "twice the same": (queries('["a b", "c", "a b"]'), "Queries 1 and 3"),
    "a blank one": (queries('["a", " "]'), "Query 2"),
    "an object": (queries('{"a": 1}'), "holds an object"),
    "numbers": (queries("[1, 2]"), "Query 1"),
    "truncated": (queries('["a b", "c'), "is not JSON"),
    "no bytes": (queries(""), "is not JSON"),
    "deep": (queries(DEEP), "nested too deeply"),
    "not UTF-8": (queries(b'\xff\xfe["a"]'), "is not UTF-8"),
    "half a surrogate pair": (queries(r'["\ud800 a", "b"]'), "surrogate"),
    "6,000 digits": (queries("[" + "9" * 6_000 + "]"), "is not a file of queries"),
    "1 GB": (huge_queries, "1,073,741,824 bytes"),
    "relevant outside": (queries('[{"query": "a", "relevant": ["../../etc/passwd"]}]'), "no plain path"),
    "queries linked from outside": (queries_are_a_link_out, "leads out of the corpus"),
    "a name that is not UTF-8": (name_that_is_not_utf8, r"caf\xe9.md is not UTF-8"),
    "a link to itself": (circle, "cannot be followed"),
    "a link to the folder above": (linked("self", "."), "so the tree has no end"),
    "a link to a file outside": (linked("x.md", "/etc/hosts"), "leads out of the corpus"),
    "a link to a folder outside": (linked("etc", "/etc"), "leads out of the corpus"),
    "a link to nothing": (linked("x.md", "nowhere"), "leads nowhere"),
    "a pipe": (lambda corpus: os.mkfifo(corpus / "pipe.md"), "neither a file nor a folder"),
    "a socket": (unix_socket, "neither a file nor a folder"),
}  # fmt: skip


def ask(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    code = command_line([str(argument) for argument in arguments])
    said = capsys.readouterr().err
    assert "Traceback" not in said and "This is a bug" not in said
    return code, said


def refused(capsys: pytest.CaptureFixture[str], expected: str, *arguments: str | Path) -> None:
    """Run a command that must end as a user's mistake: problem and remedy, each on a line of its own."""
    code, said = ask(capsys, *arguments)
    assert (code, expected in said) == (EXIT_MISTAKE, True), said
    problem, remedy = said.strip().splitlines()[-2:]
    assert problem.startswith("Error: ") and remedy.endswith((".", "?")), said


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow if case == "1 GB" else ()) for case in CORPORA]
)
def test_a_corpus_that_cannot_be_used(
    case: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, expected = CORPORA[case]
    spoil(corpus)
    refused(capsys, expected, "run", "--adapters", "bm25", "--corpus", corpus, "--out", tmp_path / "results")
    assert not (tmp_path / "results").exists()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root alone can become another user"
)
def test_what_another_user_may_not_read(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (corpus, *corpus.parents):
        if str(folder).startswith(str(tmp_path.parent.parent.parent)):
            folder.chmod(0o755)
    secret = corpus / "d3.md"
    for path, mode in ((secret, 0o000), (corpus / "queries.json", 0o000), (corpus, 0o000)):
        before = path.stat().st_mode
        path.chmod(mode)
        os.seteuid(65534)
        try:
            refused(capsys, f"Cannot read {path}" if path != corpus else "Permission denied",
                    "run", "--adapters", "bm25", "--corpus", corpus, "--out", tmp_path / "results")  # fmt: skip
        finally:
            os.seteuid(0)
            path.chmod(before)


COMMANDS: dict[str, tuple[list[str], str]] = {
    "adapter with near names": (["--adapters", "bm52"], "Did you mean bm25"),
    "adapter unknown": (["--adapters", "zzz"], "Known: bm25"),
    "adapter twice": (["--adapters", "bm25,bm25"], "Two of the adapters are called 'bm25'"),
    "no adapter": (["--adapters", " , "], "names no adapter"),
    "a version where there are none": (["--adapters", "bm25@2"], "has no versions to choose"),
    "no such file": (["--adapters", "./nope.py"], "There is no adapter file"),
    "a pipe as adapter": (["--adapters", "./pipe.py"], "There is no adapter file"),
    "Python that is none": (["--adapters", "./broken.py"], "is not Python"),
    "1 GB of adapter": (["--adapters", "./huge.py"], "1,073,741,824 bytes"),
    "1 GB of TOML": (["--adapters", "./huge.toml"], "1,073,741,824 bytes"),
    "1 GB of JavaScript": (["--adapters", "./huge.mjs"], "1,073,741,824 bytes"),
    "deep Python": (["--adapters", "./deep.py"], "is not Python"),
    "deep TOML": (["--adapters", "./deep.toml"], "is not TOML"),
    "requirements of numbers": (["--adapters", "./numbers.py"], "`requirements` is no list of texts"),
    "half a pair in its name": (["--adapters", "./half.py"], "`name` is no valid Unicode"),
    "a command that is not there": (["--adapters", "./command.toml"], "nor on the PATH"),
    "a module that is not there": (["--adapters", "no.such.module"], "cannot be found"),
    "corpus with a near name": (["--corpus", "djang"], "Did you mean django"),
    "no corpus": (["--corpus", ""], "names no corpus"),
    "a file as corpus": (["--corpus", "broken.py"], "is not a folder"),
    "a generated corpus of nothing": (["--corpus", "xl:0"], "1 to 100,000 documents"),
    "memory": (["--memory", "much"], "is not a size"),
    "no memory": (["--memory", "0"], "is not a size"),
    "more memory than there is": (["--memory", "9999999999999T"], "more memory than there can be"),
    "a level that is none": (["--require", "CTL-9"], "is not a level"),
    "a level that takes two machines": (["--require", "CTL-4"], "cannot be met by a run on one machine"),
    "a family that is none": (["--families", "x"], "is not a family"),
    "k zero": (["-k", "0"], "'-k'"),
    "no jobs": (["--jobs", "0"], "'--jobs'"),
    "no rebuilds": (["--rebuilds", "0"], "'--rebuilds'"),
    "for ever": (["--timeout", "inf"], "'--timeout'"),
    "not a number": (["--timeout", "nan"], "'--timeout'"),
    "drift above 1": (["--max-drift", "2"], "'--max-drift'"),
    "no baseline": (["--baseline", "nope.json"], "nope.json cannot be read"),
    "a baseline that is none": (["--baseline", "broken.py"], "is not a report"),
    "a pipe as baseline": (["--baseline", "pipe.py"], "a pipe"),
    "a pipe as queries": (["--queries", "pipe.py"], "a pipe"),
    "a device as queries": (["--queries", "/dev/zero"], "a device"),
    "an option that is none": (["--nope"], "No such option"),
    "an argument too many": (["extra"], "unexpected extra argument"),
}  # fmt: skip


@pytest.fixture
def workshop(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("def build(:\n")
    (tmp_path / "numbers.py").write_text('name = "x"\nrequirements = [1, 2]\n')
    (tmp_path / "half.py").write_text('name = "\\ud800"\n')
    (tmp_path / "deep.py").write_text("name = " + "(" * 10_000 + ")" * 10_000)
    (tmp_path / "deep.toml").write_text("a = " + DEEP)
    (tmp_path / "command.toml").write_text(
        'kind = "command"\nname = "x"\ncommand = ["no-such-program-here"]\n'
    )
    for suffix in ("py", "toml", "mjs"):
        (tmp_path / f"huge.{suffix}").touch()
        os.truncate(tmp_path / f"huge.{suffix}", HUGE)
    os.mkfifo(tmp_path / "pipe.py")
    return tmp_path


@pytest.mark.parametrize("case", COMMANDS)
def test_a_command_that_cannot_be_done(case: str, workshop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, expected = COMMANDS[case]
    refused(
        capsys, expected, "run", "--corpus", "corpus", "--adapters", "bm25", "--out", "results", *arguments
    )
    assert not (workshop / "results").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["frobnicate"], "No such command"),
        (["compare"], "Missing argument"),
        (["compare", "one.json"], "takes two fingerprints or more"),
        (["report", "nowhere"], "There is no run in"),
        (["queries", "init", "nowhere"], "does not exist"),
        (["engines", "install", "nothing"], "There is no adapter"),
        (["corpora", "fetch", "nothing"], "There is no corpus"),
    ],
)
def test_other_verbs(
    arguments: list[str], expected: str, workshop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(capsys, expected, *arguments)


CONFIGURATIONS = {
    "not TOML": ("[tool.contextbenchmark\n", "is not TOML"),
    "unknown key": ("[tool.contextbenchmark]\nfoo = 1\n", "unknown key 'foo'"),
    "wrong type": ('[tool.contextbenchmark]\nk = "x"\n', "k is a str"),
    "a truth value": ("[tool.contextbenchmark]\nk = true\n", "k is a bool"),
    "no table": ("[tool]\ncontextbenchmark = 5\n", "is not a table"),
    "out of range": ("[tool.contextbenchmark]\nk = 0\n", "'-k'"),
    "infinite": ("[tool.contextbenchmark]\ntimeout = inf\n", "'--timeout'"),
    "deep": (f"[tool.contextbenchmark]\nk = {DEEP}\n", "is not TOML"),
}


@pytest.mark.parametrize("case", CONFIGURATIONS)
def test_a_configuration_that_cannot_be_used(
    case: str, workshop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, expected = CONFIGURATIONS[case]
    (workshop / "pyproject.toml").write_text(text)
    refused(capsys, expected, "run", "--corpus", "corpus", "--adapters", "bm25")


@pytest.mark.parametrize("content", [b"tool = 5\n", b"\xff\xfe"])
def test_a_configuration_that_is_not_ours_is_let_be(content: bytes, workshop: Path) -> None:
    (workshop / "pyproject.toml").write_bytes(content)
    assert command_line(["run", "--corpus", "corpus", "--adapters", "bm25", "--dry-run"]) == 0


@pytest.mark.parametrize("out", ["afile", "/dev/null", "/proc/x", "x" * 300])
def test_a_results_folder_that_cannot_be(
    out: str, workshop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workshop / "afile").write_text("mine")
    refused(capsys, "Cannot write", "run", "--corpus", "corpus", "--adapters", "bm25", "--out", out)
    assert (workshop / "afile").read_text() == "mine"


def into_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def into_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def holding(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


DAMAGE: dict[str, Callable[[Path], None]] = {
    "empty": holding(b""),
    "truncated": lambda path: os.truncate(path, 300),
    "garbage": holding(b"xx{\n"),
    "deep": holding(DEEP.encode() + b"\n"),
    "another release's": holding(b'{"schema": "contextbenchmark.run/9"}\n'),
    "null": holding(b"null\n"),
    "binary": holding(bytes(range(256)) * 9),
    "1 GB": lambda path: os.truncate(path, HUGE),
    "a pipe": into_pipe,
    "a folder": into_folder,
}
# What a kill may leave: nothing is lost but the line that it tore (see test_kill_and_resume).
TORN = ("empty", "truncated", "1 GB")


@pytest.mark.parametrize("case", DAMAGE)
def test_a_damaged_run_folder(case: str, workshop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["run", "--corpus", "corpus", "--adapters", "bm25", "--rebuilds", "2", "--trials", "2"]
    assert command_line(asked) == 0
    (folder,) = (workshop / "results" / "runs").iterdir()
    whole = (folder / "run.json").read_bytes()
    for name in ("run.json", "observations.jsonl"):
        before = (folder / name).read_bytes()
        if name == "observations.jsonl" and case in TORN:
            continue
        DAMAGE[case](folder / name)
        for command in (["report", "results"], [*asked, "--resume"]):
            refused(capsys, name, *command)
        if (folder / name).is_dir():
            (folder / name).rmdir()
        else:
            (folder / name).unlink()
        (folder / name).write_bytes(before)
    assert (folder / "run.json").read_bytes() == whole
    assert command_line([*asked, "--resume"]) == 0


def test_content_that_is_not_utf8_is_fine(corpus: Path, tmp_path: Path) -> None:
    """Files are bytes. Only their names must be text."""
    (corpus / "latin.md").write_bytes(b"caf\xe9 word3 \xff\xfe\n")
    (corpus / "nul.md").write_bytes(b"word9 \0\0 beta\n")
    (corpus / "surrogate.md").write_bytes(b"\xed\xa0\x80 alpha4\n")
    (corpus / "nothing.md").write_bytes(b"")
    asked = ["run", "--adapters", "bm25,fts5", "--corpus", str(corpus), "--rebuilds", "2", "--trials", "2"]
    assert command_line([*asked, "--out", str(tmp_path / "results")]) == 0
    report = json.loads((tmp_path / "results" / "report.json").read_text())
    assert [system["level"] for system in report["systems"]] == ["CTL-3", "CTL-3"]


def test_a_link_inside_the_corpus_is_the_file(corpus: Path) -> None:
    (corpus / "again.md").symlink_to("d1.md")
    found = {file.path: file.sha256 for file in load_corpus(corpus).documents}
    assert found["again.md"] == found["d1.md"]


def test_ten_thousand_queries_and_a_large_file(corpus: Path, tmp_path: Path) -> None:
    (corpus / "queries.json").write_text(json.dumps([f"alpha{n % 5} word{n}" for n in range(10_000)]))
    with open(corpus / "large.bin", "wb") as stream:
        stream.truncate(200_000_000)
    request = Request(
        adapters=[],
        corpus=load_corpus(corpus),
        parameters=Parameters(),
        out=tmp_path / "results",
    )
    assert len(request.corpus.queries) == 10_000 and request.corpus.bytes > 200_000_000


def mount(folder: Path, options: str) -> None:
    folder.mkdir(exist_ok=True)
    if not shutil.which("mount") or os.geteuid() != 0:
        pytest.skip("mounting a small disk takes root")
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.decode().strip()}")


class TestFullDisk:
    @pytest.fixture
    def disk(self, tmp_path: Path) -> object:
        folder = tmp_path / "disk"
        mount(folder, "size=40k")
        yield folder
        subprocess.run(["umount", str(folder)], check=True)

    def test_what_was_measured_is_kept_and_gone_on_from(
        self, disk: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked: list[str | Path] = [
            "run",
            "--adapters",
            "bm25,fts5",
            "--corpus",
            corpus,
            "--out",
            disk / "results",
        ]
        refused(capsys, "the disk is full", *asked)
        rows = next(disk.glob("results/runs/*/observations.jsonl"))
        before = rows.read_bytes()
        assert before.count(b"\n") > 5
        subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)
        assert ask(capsys, *asked, "--resume")[0] == 0
        assert rows.read_bytes().startswith(before[: before.rfind(b"\n") + 1])

    def test_the_disk_that_operations_work_on(
        self, disk: Path, corpus: Path, tmp_path: Path, write_adapter: WriteAdapter, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        """It is not the adapter's fault, so it costs no system its row; and another folder is named by TMPDIR."""
        subprocess.run(["mount", "-o", "remount,size=2m", str(disk)], check=True)
        adapter = write_adapter(
            "honest = build\n"
            "def build(c, o):\n"
            "    honest(c, o)\n"
            "    open(os.path.join(o, 'large'), 'wb').write(bytes(4_000_000))\n"
        )
        asked: list[str | Path] = [
            "run", "--adapters", str(adapter.path), "--corpus", corpus, "--rebuilds", "2", "--trials", "2",
            "--jobs", "1", "--out", tmp_path / "results",
        ]  # fmt: skip
        monkeypatch.setattr("tempfile.tempdir", str(disk))
        refused(capsys, "TMPDIR", *asked)
        assert not list(disk.iterdir()), "nothing is left behind"
        monkeypatch.setattr("tempfile.tempdir", None)
        assert ask(capsys, *asked, "--resume")[0] == 0

    def test_a_read_only_results_folder(
        self, tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        mount(tmp_path / "fixed", "ro")
        try:
            for out in (tmp_path / "fixed", tmp_path / "fixed" / "results"):
                refused(
                    capsys,
                    "read-only file system",
                    "run",
                    "--adapters",
                    "bm25",
                    "--corpus",
                    corpus,
                    "--out",
                    out,
                )
        finally:
            subprocess.run(["umount", str(tmp_path / "fixed")], check=True)


SLOW = """
import time
honest_build = build
def build(c, o):
    time.sleep(0.7)
    honest_build(c, o)
"""


@pytest.mark.slow
class TestTwoAtOnce:
    def start(self, asked: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "contextbenchmark", *asked],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def wait_for_run(self, out: Path) -> Path:
        deadline = time.monotonic() + 30
        while not (found := list(out.glob("runs/*/observations.jsonl"))):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return found[0].parent

    def test_a_run_at_work_cannot_be_resumed_and_is_not_harmed(
        self, corpus: Path, tmp_path: Path, write_adapter: WriteAdapter, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = ["run", "--adapters", str(write_adapter(SLOW).path), "--corpus", str(corpus), "--out",
                 str(tmp_path / "results"), "--rebuilds", "2", "--trials", "2", "--jobs", "1"]  # fmt: skip
        first = self.start(asked)
        self.wait_for_run(tmp_path / "results")
        refused(capsys, "is at work on the run in", *asked, "--resume")
        _, said = first.communicate(timeout=60)
        assert first.returncode == 0, said
        assert ask(capsys, *asked, "--resume")[0] == 0

    def test_two_runs_into_one_folder_keep_apart(
        self, corpus: Path, tmp_path: Path, write_adapter: WriteAdapter, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = ["run", "--adapters", str(write_adapter(SLOW).path), "--corpus", str(corpus), "--out",
                 str(tmp_path / "results"), "--rebuilds", "2", "--trials", "2", "--jobs", "1"]  # fmt: skip
        both = [self.start(asked) for _ in range(2)]
        for process in both:
            _, said = process.communicate(timeout=60)
            assert process.returncode == 0, said
        assert len(list((tmp_path / "results" / "runs").iterdir())) == 2
        assert ask(capsys, "report", tmp_path / "results")[0] == 0

    def test_sigterm_keeps_the_state(self, corpus: Path, tmp_path: Path, write_adapter: WriteAdapter) -> None:
        asked = ["run", "--adapters", str(write_adapter(SLOW).path), "--corpus", str(corpus), "--out",
                 str(tmp_path / "results"), "--rebuilds", "2", "--trials", "2", "--jobs", "1"]  # fmt: skip
        process = self.start(asked)
        self.wait_for_run(tmp_path / "results")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130 and b"--resume" in said and b"Traceback" not in said
        assert command_line([*asked, "--resume"]) == 0


@pytest.mark.parametrize("edited", ["corpus", "adapter"])
def test_what_is_edited_while_the_run_goes_on_does_not_count(
    edited: str, corpus: Path, tmp_path: Path, write_adapter: WriteAdapter
) -> None:
    adapter = write_adapter("")
    assert adapter.path is not None
    target = corpus / "d3.md" if edited == "corpus" else adapter.path

    class Editor:
        """Edits at the first operation that has ended."""

        def say(self, text: str) -> None: ...

        def planned(self, operations: int) -> None: ...

        def done(self, operation: str) -> None:
            if operation.endswith("/base-000/build"):
                target.write_text(target.read_text() + "\n# more\n")

    request = Request(
        adapters=[adapter],
        corpus=load_corpus(corpus),
        parameters=Parameters(rebuilds=3, trials=2, families=("rebuild", "query")),
        out=tmp_path / "results",
        jobs=1,
    )
    with pytest.raises(Exception, match="changed while the run went on") as caught:
        run_request(request, Editor())
    assert getattr(caught.value, "exit_code", None) == EXIT_MISTAKE


@pytest.mark.parametrize(
    "environment",
    [
        {"TERM": "dumb"},
        {"COLUMNS": "40"},
        {"NO_COLOR": "1", "FORCE_COLOR": "1"},
        {"LANG": "C", "LC_ALL": "C"},
        {"PYTHONIOENCODING": "ascii"},
    ],
    ids=str,
)
def test_any_terminal(environment: dict[str, str], corpus: Path, tmp_path: Path) -> None:
    (corpus / "größe 漢.md").write_text("alpha1 word3")
    (corpus / "queries.json").write_text('["größe alpha1", "漢 beta2 word9", "alpha4 beta0"]')
    done = subprocess.run(
        [sys.executable, "-m", "contextbenchmark", "run", "--adapters", "bm25", "--corpus", corpus, "--out",
         tmp_path / "results", "--rebuilds", "2", "--trials", "2"],
        env={**os.environ, **environment}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr and b"CTL-3" in done.stdout


def test_names_read_in_another_encoding_are_refused(corpus: Path) -> None:
    """The same corpus would get another hash: its paths would be other texts."""
    odd = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "contextbenchmark", "run", "--adapters", "bm25", "--corpus", corpus],
        env={**os.environ, **odd}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == EXIT_MISTAKE and b"PYTHONUTF8=1" in done.stderr


@pytest.mark.slow
def test_whoever_stops_reading_does_no_harm(corpus: Path, tmp_path: Path) -> None:
    command = (f"{sys.executable} -m contextbenchmark run --adapters bm25 --corpus {corpus} --out {tmp_path}/results "
               "--rebuilds 2 --trials 2 --json | head -1")  # fmt: skip
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=60)
    assert done.stdout.strip() == b"{" and b"Traceback" not in done.stderr
    assert (tmp_path / "results" / "report.json").is_file()
    closed = subprocess.run(
        ["sh", "-c", command.replace("| head -1", ">&-")], capture_output=True, check=False, timeout=60
    )
    assert b"Traceback" not in closed.stderr


def test_without_a_home(corpus: Path, tmp_path: Path) -> None:
    kept = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME")}
    for environment in (kept, {**kept, "HOME": "/nonexistent"}):
        done = subprocess.run(
            [sys.executable, "-m", "contextbenchmark", "run", "--adapters", "bm25", "--corpus", corpus, "--out",
             tmp_path / "results", "--rebuilds", "2", "--trials", "2"],
            env=environment, capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
