"""The steps of :func:`contextbenchmark.testing.check_adapter`; each says where it is when something is wrong."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbenchmark.trust.adapter import Adapter
    from contextbenchmark.trust.answer import Answer
    from contextbenchmark.trust.surroundings import Interpreter
    from contextbenchmark.trust.workplace import Workplace

DOCUMENTS = {
    "garden/tomatoes.md": "# Tomatoes\n\nTomatoes ripen in the sun. Water the plants in the morning.\n",
    "garden/roses.md": "# Roses\n\nRoses need pruning in early spring. Cut above an outward bud.\n",
    "kitchen/coffee.txt": "Grind the coffee beans, heat the water, and brew an espresso in half a minute.\n",
    "kitchen/bread.txt": "Knead flour, water and yeast; let the bread dough rise, then bake the loaf.\n",
    "sea/sailing.md": "A sailing boat heels in the wind. Trim the mainsail and steer with the rudder.\n",
    "sea/whales.md": "Whales are mammals; a humpback whale sings and migrates across the ocean.\n",
    "code/payment.py": "def refund(payment):\n    '''Give a customer the money of a payment back.'''\n",
    "code/login.ts": "export function login(user: string, password: string) { return check(user, password); }\n",
    "code/empty.py": "",
    "notes/a.txt": "music theory: a chord of three notes is a triad\n",
    "notes/b.txt": "the mountain hut closes in winter because of avalanches\n",
    "notes/c.txt": "bicycle chains want oil and a new tyre wants air\n",
    "notes/ein Wort mit \u00e4.txt": "the ferry crosses the fjord twice a day\n",
}
QUESTIONS = {
    "when do tomatoes ripen?": "garden/tomatoes.md",
    "brew espresso coffee": "kitchen/coffee.txt",
    "humpback whale ocean": "sea/whales.md",
    "check the password of a user at login": "code/login.ts",
}
# What people type: stray punctuation, nothing, a stop word, a word that is nowhere, other scripts.
ODD = ("\u00bfqu\u00e9? (\"*'", "", "the", "zzyzx", "AND OR NOT ]: ^2~", "\u6d77\u9be8 \U0001f40b")


def check_file(adapter: Adapter) -> None:
    """Check what is read without running the adapter."""
    where = f"{adapter.label} ({adapter.path or adapter.module or adapter.reference})"
    assert "\n" not in adapter.summary, f"{where}: summary has more than one line"
    loose = [requirement for requirement in adapter.requirements if "==" not in requirement]
    assert not loose, f"{where}: requirements: {loose[0]!r} pins no version, so what is measured is not fixed"
    if adapter.requirements and adapter.path is not None and adapter.kind == "python":
        helpers = {file.stem for file in adapter.path.parent.glob("*.py")}
        for module in sorted(imported_at_the_top(adapter.path) - helpers - set(sys.stdlib_module_names)):
            raise AssertionError(
                f"{where}: it imports {module} at its top; it is read where its engine is not installed, so import "
                f"that inside the functions"
            )


def imported_at_the_top(path: Path) -> set[str]:
    """Return the modules that loading the file imports: nothing inside functions or for type checkers alone."""
    import ast

    found: set[str] = set()

    def visit(nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            if isinstance(node, ast.Import):
                found.update(name.name.partition(".")[0] for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
            elif (
                isinstance(node, ast.If)
                and isinstance(node.test, ast.Name)
                and node.test.id == "TYPE_CHECKING"
            ):
                visit(node.orelse)
            elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                visit([child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)])

    visit(ast.parse(path.read_bytes()).body)
    return found


class Check:
    """The steps of :func:`check_adapter` that run the adapter; each says where it is when something is wrong."""

    def __init__(
        self, adapter: Adapter, interpreter: Interpreter, workplace: Workplace, place: Path, seconds: float
    ) -> None:
        from contextbenchmark.trust.operation import Limits

        self.adapter, self.interpreter, self.workplace = adapter, interpreter, workplace
        self.place, self.limits = place, Limits(timeout_seconds=seconds)
        self.documents = frozenset(DOCUMENTS)
        self.vectors: tuple[Path, ...] = ()

    def all(self) -> None:
        self._says_who_it_is()
        corpus, out = self._corpus(), self.place / "first" / "out"
        self._run("building", lambda: self._build(corpus, out))
        shutil.rmtree(corpus)  # what queries need has to be in the artifact
        self._left_something(out)
        texts = [*QUESTIONS, *ODD]
        answers = self._run("answering", lambda: self._ask(out, texts, 3, seed=11))
        self._finds(answers)
        moved = self.place / "elsewhere" / "artifact"
        shutil.copytree(out, moved, symlinks=True)
        shutil.rmtree(out)
        again = self._run(
            "answering from a copy of its artifact at another path",
            lambda: self._ask(moved, texts, 3, seed=12),
        )
        self._finds(again)
        self._run(
            "being asked for more files than there are",
            lambda: self._ask(moved, list(QUESTIONS), 50, seed=13),
        )

    def _run(self, step: str, action: Callable[[], Any]) -> Any:
        from contextbenchmark.trust.outcome import OperationFailed

        try:
            return action()
        except OperationFailed as failed:
            output = f"\nWhat it printed:\n{failed.failure.output}" if failed.failure.output else ""
            raise AssertionError(
                f"{self.adapter.label}: {step}: {failed.failure.message}{output}"
            ) from failed

    def _operation(self, seed: int, *writable: Path) -> Any:
        from contextbenchmark.trust.operation import Operation

        return Operation(
            self.workplace, self.adapter, self.interpreter, self.limits, seed=seed, writable=writable,
            vectors=self.vectors,
        )  # fmt: skip

    def _hello(self, seed: int) -> Any:
        with self._operation(seed) as operation:
            return operation.hello()

    def _says_who_it_is(self) -> None:
        first = self._run("starting", lambda: self._hello(1))
        second = self._run("starting a second time", lambda: self._hello(2))
        label = self.adapter.label
        assert first.available, f"{label}: available(): {first.reason}"
        assert first.version == second.version, (
            f"{label}: version(): {first.version} in one process and {second.version} in the next; nothing that "
            "differs between two processes belongs in it"
        )

    def _corpus(self) -> Path:
        corpus = self.place / "checkout" / "corpus"
        for path, text in DOCUMENTS.items():
            (corpus / path).parent.mkdir(parents=True, exist_ok=True)
            (corpus / path).write_text(text, encoding="utf-8")
        return corpus

    def _build(self, corpus: Path, out: Path) -> None:
        out.mkdir(parents=True)
        with self._operation(3, corpus.parent, out.parent) as operation:
            operation.hello()
            operation.build(corpus, out)
            operation.close()

    def _left_something(self, out: Path) -> None:
        files = [path for path in out.rglob("*") if path.is_file()]
        label, named = self.adapter.label, self.adapter.artifact_file
        if not self.adapter.remote:
            assert any(file.stat().st_size for file in files), (
                f"{label}: building: it left nothing in out_dir"
            )
        if named is not None:
            assert (out / named).is_file(), f"{label}: building: artifact_file {named!r} is not in out_dir"

    def _ask(self, out: Path, texts: Sequence[str], k: int, *, seed: int) -> list[Answer]:
        with self._operation(seed, out.parent) as operation:
            operation.hello()
            operation.open(out)
            answers = [operation.query(text, k, self.documents) for text in texts]
            operation.close()
        return answers

    def _finds(self, answers: Sequence[Answer]) -> None:
        label = self.adapter.label
        for text, answer in zip((*QUESTIONS, *ODD), answers, strict=True):
            known = [score for score in answer.scores if score is not None]
            assert known == sorted(known, reverse=True), (
                f"{label}: asked {text!r}, its scores are not in descending order: {list(answer.scores)}"
            )
        found = [
            text
            for (text, file), answer in zip(QUESTIONS.items(), answers, strict=False)
            if file in answer.files
        ]
        assert 2 * len(found) >= len(QUESTIONS), (
            f"{label}: of {len(QUESTIONS)} plain questions it found the document of {len(found)} in its first 3; "
            f"asked {next(text for text in QUESTIONS if text not in found)!r}, it answered "
            f"{list(answers[[*QUESTIONS].index(next(t for t in QUESTIONS if t not in found))].files)}"
        )
