"""Loopback servers that speak, as far as the official clients need it, what hosted services and models speak.

Each records every call. The memories rank by words in common, as simply as can be.
"""

from __future__ import annotations

import json
import random
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    asked: dict[str, list[str]]
    headers: dict[str, str]
    body: Any


class Server:
    """A context manager; ``url`` has no slash at its end, ``calls`` is what came in, in order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                raw = self.rfile.read(length)
                parts = urlsplit(self.path)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = json.loads(raw) if raw else None
                call = Call(self.command, parts.path, parse_qs(parts.query), headers, body)
                with outer._lock:
                    outer.calls.append(call)
                    status, answer = outer.answer(call)
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = _serve

            def log_message(self, format: str, *args: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, call: Call) -> tuple[int, Any]:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Model(Server):
    """A chat model behind an OpenAI-compatible endpoint that extracts memories from the last message.

    One that samples keeps a random half of a message's lines each time; a fixed one keeps the whole message.
    """

    def __init__(self, *, samples: bool) -> None:
        super().__init__()
        self._samples = samples
        self._random = random.SystemRandom()

    def answer(self, call: Call) -> tuple[int, Any]:
        if call.path != "/v1/chat/completions":
            return 404, {"error": {"message": f"no such path {call.path}"}}
        prompt = call.body["messages"][-1]["content"]
        found = re.search(r"## New Messages\n(.*?)\n\n## Observation Date", prompt, re.DOTALL)
        lines = (found[1] if found else "").replace("\\n", "\n").split("\n")
        kept = [line for line in lines if line.strip()]
        if self._samples:
            kept = self._random.sample(kept, max(1, len(kept) // 2))
            # A sentence in other words.
            words = " ".join(kept).split()
            kept = [" ".join(self._random.sample(words, max(1, len(words) // 2)))]
        content = json.dumps({"memory": [{"text": "\n".join(kept), "attributed_to": "user"}]})
        message = {"role": "assistant", "content": content}
        return 200, {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": call.body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


@dataclass
class Stored:
    text: str
    metadata: dict[str, Any]
    asked: int = 0


@dataclass
class Place:
    stored: list[Stored] = field(default_factory=list)

    def rank(self, query: str, most: int) -> list[tuple[float, Stored]]:
        words = set(re.findall(r"\w+", query.lower()))
        scored = [
            (len(words & set(re.findall(r"\w+", item.text.lower()))) / (1 + len(words)), -number, item)
            for number, item in enumerate(self.stored)
        ]
        ranked = sorted(
            (entry for entry in scored if entry[0] > 0), key=lambda entry: entry[:2], reverse=True
        )
        return [(score, item) for score, _, item in ranked[:most]]


class HostedMemory(Server):
    """mem0, Zep and Supermemory at one address; takes a moment (some polls) until what was sent is there."""

    def __init__(self, *, polls: int = 2, fails: bool = False) -> None:
        super().__init__()
        self.places: dict[str, Place] = {}
        self._polls, self._fails, self._counted = polls, fails, 0

    def answer(self, call: Call) -> tuple[int, Any]:
        key = call.headers.get("authorization", "") + call.headers.get("x-api-key", "")
        if "right-key" not in key:
            return 401, {"detail": "wrong key", "message": "wrong key"}
        for pattern, method in (
            (r"/v1/ping/", self._ping),
            (r"/v3/memories/(?P<what>add/|search/|)", self._mem0),
            (
                r"/zep/graphs(?:/(?P<graph>[^/]+)/(?P<what>episodes|search/episodes)(?:/(?P<item>\d+))?)?",
                self._zep,
            ),
            (r"/ns/(?P<place>[^/]+)/(?P<what>document|search)(?:/(?P<item>\d+))?", self._supermemory),
        ):
            found = re.fullmatch(pattern, call.path)
            if found:
                return method(call, **found.groupdict())
        return 404, {"detail": f"no such path {call.path}", "message": "no such path"}

    def _ping(self, call: Call) -> tuple[int, Any]:
        return 200, {"status": "ok", "org_id": "org", "project_id": "project", "user_email": "a@example.org"}

    def _mem0(self, call: Call, what: str) -> tuple[int, Any]:
        if what == "add/":
            place = self.places.setdefault(call.body["user_id"], Place())
            text = call.body["messages"][0]["content"]
            place.stored.append(Stored(text, call.body["metadata"]))
            return 200, {"message": "queued", "status": "PENDING", "event_id": str(len(place.stored))}
        place = self.places[call.body["filters"]["user_id"]]
        if what == "":
            self._counted += 1
            return 200, {"count": len(place.stored) if self._counted > self._polls else 0, "results": []}
        ranked = place.rank(call.body["query"], call.body["top_k"])
        return 200, {
            "results": [
                {"id": str(id(item)), "memory": item.text, "metadata": item.metadata, "score": score}
                for score, item in ranked
            ]
        }

    def _zep(self, call: Call, graph: str | None, what: str | None, item: str | None) -> tuple[int, Any]:
        if graph is None:
            self.places[call.body["name"]] = Place()
            return 201, {"uuid": call.body["name"], "name": call.body["name"]}
        place = self.places[graph]
        if what == "search/episodes":
            ranked = place.rank(call.body["query"], int(call.asked["page_size"][0]))
            return 200, {
                "items": [
                    {"uuid": "0", "content": item.text, "metadata": item.metadata, "score": score}
                    for score, item in ranked
                ]
            }
        if call.method == "POST":
            place.stored.append(Stored(call.body["data"], call.body["metadata"]))
            return 202, {
                "episode": {"uuid": str(len(place.stored)), "processed": False},
                "task": {"uuid": "1"},
            }
        stored = place.stored[int(item or 0) - 1]
        stored.asked += 1
        return 200, {"uuid": item, "processed": stored.asked > self._polls, "metadata": stored.metadata}

    def _supermemory(self, call: Call, place: str, what: str, item: str | None) -> tuple[int, Any]:
        at = self.places.setdefault(place, Place())
        now = "2026-01-01T00:00:00Z"
        if what == "search":
            return 200, {
                "results": [
                    {
                        "id": "1", "chunk": found.text, "metadata": found.metadata, "similarity": score,
                        "isLatest": True, "isInference": False, "system": {"updatedAt": now, "createdAt": now},
                    }
                    for score, found in at.rank(call.body["query"], call.body["limit"])
                ],
                "searchTime": 1.0,
            }  # fmt: skip
        if call.method == "POST":
            at.stored.append(Stored(call.body["content"], call.body["metadata"]))
            return 202, {"id": str(len(at.stored)), "status": "queued"}
        stored = at.stored[int(item or 0) - 1]
        stored.asked += 1
        done = stored.asked > self._polls
        status = ("failed" if self._fails else "done") if done else "indexing"
        system = {"status": status, "dreamingStatus": "done", "createdAt": now, "updatedAt": now}
        return 200, {"id": item, "type": "text", "metadata": stored.metadata, "system": system}
