"""Reading a patch and telling tests from source."""

from __future__ import annotations

import pytest

from contextbenchmark.study.repository import is_test, modules, touched


def test_touched_paths_of_every_kind_of_change() -> None:
    patch = """\
diff --git a/src/changed.py b/src/changed.py
--- a/src/changed.py
+++ b/src/changed.py
@@ -1 +1 @@
-old
+new
diff --git a/new file.py b/new file.py
new file mode 100644
--- /dev/null
+++ b/new file.py\t
@@ -0,0 +1 @@
+x
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/old.py b/moved.py
similarity index 100%
rename from old.py
rename to moved.py
"""
    assert touched(patch) == ("src/changed.py", "new file.py", "gone.py", "old.py", "moved.py")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/test_a.py", True),
        ("pkg/tests/helper.py", True),
        ("test_a.py", True),
        ("pkg/a_test.go", True),
        ("src/a.test.ts", True),
        ("src/a.spec.js", True),
        ("src/__tests__/a.js", True),
        ("src/main/OrderTest.java", True),
        ("conftest.py", True),
        ("src/contest.py", False),
        ("src/latest.py", False),
        ("src/testament.py", False),
        ("attestation/a.py", False),
    ],
)
def test_what_looks_like_a_test(path: str, expected: bool) -> None:
    assert is_test(path) is expected


def test_a_module_is_the_folder_that_holds_a_file() -> None:
    assert modules(["a/x.py", "a/y.py", "a/b/z.py", "w.py"]) == {"a", "a/b", ""}
