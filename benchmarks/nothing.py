"""An adapter that does as little as the contract allows: what is left is the harness."""

name = "nothing"
summary = "one empty-handed answer"


def build(corpus_dir: str, out_dir: str) -> None:
    with open(f"{out_dir}/index", "wb") as stream:
        stream.write(b"1")


def query(out_dir: str, text: str, k: int) -> list[dict[str, object]]:
    return []
