"""One SHA-256 over many pieces, computed beside whatever reads them."""

from __future__ import annotations

import hashlib
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _hashlib import HASH

# Small pieces are joined to about so many bytes: hashlib lets other threads run only for large updates.
BATCH_BYTES = 1 << 20


class Chain:
    """One SHA-256 fed in order by a thread of its own, so that it costs no time where a core is free."""

    def __init__(self) -> None:
        self._hash: HASH = hashlib.sha256()
        self._batch: list[bytes] = []
        self._batched = 0
        self._pool: ThreadPoolExecutor | None = None
        self._last: Future[None] | None = None

    def __enter__(self) -> Chain:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True)

    def add(self, data: bytes) -> None:
        """Feed ``data``, joined with its neighbours: many small updates would cost more than the hashing."""
        self._batch.append(data)
        self._batched += len(data)
        if self._batched >= BATCH_BYTES:
            self._flush()

    def add_now(self, data: bytes | memoryview) -> Future[None]:
        """Feed ``data`` after all that came before; it must stay unchanged until the future is done."""
        self._flush(wait=False)
        return self._submit(data)

    def finish(self) -> str:
        """Return the hash of everything fed, in hex."""
        if self._pool is None:
            self._hash.update(b"".join(self._batch))
        else:
            self._flush()
            if self._last is not None:
                self._last.result()
        return self._hash.hexdigest()

    def _flush(self, *, wait: bool = True) -> None:
        if not self._batch:
            return
        joined = b"".join(self._batch)
        self._batch.clear()
        self._batched = 0
        # Never more than two batches in memory.
        if wait and self._last is not None:
            self._last.result()
        self._submit(joined)

    def _submit(self, data: bytes | memoryview) -> Future[None]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tree-hash")
        self._last = self._pool.submit(self._hash.update, data)
        return self._last
