"""The command split: bytes in, chunks out, each as soon as it is complete."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import sys
import threading
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from chunkwise import Chunker, ChunkingStrategy
from chunkwise._cli._sources import Source
from tests.commands import ANSWER, PLAIN, started, texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tests.commands import Run


def test_each_chunk_is_a_line(run: Run) -> None:
    outcome = run("split", "--by", "sentence", stdin=b"One. Two! And thr")
    assert outcome == (0, b"One.\nTwo!\nAnd thr\n", "")


def test_json_lines_say_everything_about_a_chunk(run: Run) -> None:
    outcome = run("split", "--by", "sentence", "--json", stdin=b" One.  Tw")
    rest = {"gap": "  ", "complete": False, "kind": "sentence"}
    assert [json.loads(line) for line in outcome.out.splitlines()] == [
        {
            "file": "-",
            "text": "One.",
            "start": 1,
            "end": 5,
            "index": 0,
            "gap": " ",
            "complete": True,
            "kind": "sentence",
        },
        {"file": "-", "text": "Tw", "start": 7, "end": 9, "index": 1, **rest},
    ]


def test_each_file_is_a_stream_of_its_own(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"a b")
    two.write_bytes(b"c")
    outcome = run(
        "split", "--by=word", "--json", str(one), "-", str(two), stdin=b"from stdin"
    )
    found = [json.loads(line) for line in outcome.out.splitlines()]
    assert [(f["file"], f["text"], f["start"], f["index"]) for f in found] == [
        (str(one), "a", 0, 0),
        (str(one), "b", 2, 1),
        ("-", "from", 0, 0),
        ("-", "stdin", 5, 1),
        (str(two), "c", 0, 0),
    ]


def test_an_empty_input_prints_nothing(run: Run) -> None:
    assert run("split", "--by", "sentence") == (0, b"", "")


@pytest.mark.parametrize("end", [b"\xff more", b"\xe4\xb8"], ids=["wrong", "cut"])
def test_what_came_before_bad_bytes_is_printed_as_incomplete(
    run: Run, end: bytes
) -> None:
    outcome = run("split", "--by", "word", "--json", stdin=b"a b" + end)
    found = [json.loads(line) for line in outcome.out.splitlines()]
    assert [(f["text"], f["complete"]) for f in found] == [("a", True), ("b", False)]
    assert outcome.code == 1
    assert "at byte offset 3 is not utf-8" in outcome.err


def test_a_whole_sentence_before_bad_bytes_is_not_complete_either(run: Run) -> None:
    """What stood behind it is not known."""
    outcome = run("split", "--by", "sentence", "--json", stdin=b"It is.\xff")
    (line,) = outcome.out.splitlines()
    assert json.loads(line)["complete"] is False


def test_a_strategy_that_refuses_the_text_before_bad_bytes_does_not_hide_them(
    run: Run,
) -> None:
    by = '{"type": "json", "strict": true}'
    outcome = run("split", "--by", by, stdin=b'[1, {"a": \xff')
    assert (outcome.code, outcome.out) == (1, b"1\n")
    assert "0xff at byte offset 10 is not utf-8" in outcome.err


def test_what_came_before_a_failed_read_is_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"a b")
    read = Source.read

    def failing(source: Source, size: int | None = -1, /) -> bytes | None:
        if source.count:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return read(source, size)

    monkeypatch.setattr(Source, "read", failing)
    outcome = run("split", "--by", "word", str(file))
    says = f"chunkwise: {file}: {os.strerror(errno.EIO)}\n"
    assert outcome == (1, b"a\nb\n", says)


def test_the_example_comes_out_as_the_library_gives_it(run: Run) -> None:
    chunker = Chunker("sentence")
    text = ANSWER.read_bytes().decode()
    outcome = run("split", "--by", "sentence", "--json", str(ANSWER))
    assert texts(outcome) == [*chunker.feed(text), *chunker.flush()]


@pytest.mark.parametrize("size", ["1", "2", "7", "100000"])
def test_the_size_of_deltas_changes_nothing(run: Run, size: str) -> None:
    call = ["split", "--by", "sentence", "--json", str(ANSWER)]
    assert run(*call, "--delta-size", size) == run(*call)


def test_the_size_of_deltas_is_what_the_chunker_is_fed(
    run: Run, register: Callable[[str, type[ChunkingStrategy[Any]]], None]
) -> None:
    seen: list[str] = []

    class Whole(ChunkingStrategy):
        """Takes notes of how far the text had come."""

        @override
        def split(self, text: str) -> list[str]:
            seen.append(text)
            return []

    register("whole", Whole)
    run("split", "--by", "whole", "--delta-size", "2", stdin="äbcde".encode())
    assert list(dict.fromkeys(seen)) == ["äb", "äbcd", "äbcde"]


def test_ends_of_reads_are_no_boundaries(run: Run, tmp_path: Path) -> None:
    long = tmp_path / "long"
    text = "ä" * 200_001
    long.write_bytes(text.encode())
    assert texts(run("split", "--by", "word", "--json", str(long))) == [text]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "--by"),
        (["--by", "word", "--delta-size", "0"], "--delta-size"),
        (["--by", "word", "--errors", "surrogateescape"], "--errors"),
        (["--by", "word", "--nonsense"], "--nonsense"),
        (["--by", "word", "--json", "-o", "a.jsonl"], "--json is for standard output"),
    ],
)
def test_wrong_usage_exits_with_2(run: Run, arguments: list[str], says: str) -> None:
    outcome = run("split", *arguments, stdin=b"never read")
    assert (outcome.code, outcome.out) == (2, b"")
    assert says in outcome.err


def test_a_live_pipe_shows_each_chunk_at_once() -> None:
    with started("split", "--by", PLAIN) as process:
        process.write(b"First. ")
        assert process.stdout.readline().rstrip() == b"First."
        # The first byte of a character, and it has been read when the chunk is out.
        process.write(b"Second. \xc3")
        assert process.stdout.readline().rstrip() == b"Second."
        process.write(b"\xa9t\xc3\xa9.\r\nFour")
        assert process.stdout.readline() == b"\xc3\xa9t\xc3\xa9.\n"
        process.stdin.close()
        assert process.stdout.readlines() == [b"Four\n"]
        assert process.popen.wait() == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_an_interrupt_ends_it_with_130_and_no_traceback() -> None:
    # A runner in the background hands down that interrupts are ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with started("split", "--by", "word") as process:
            process.write(b"one tw")
            assert process.stdout.readline() == b"one\n"
            process.popen.send_signal(signal.SIGINT)
            assert process.popen.wait() == 130
            assert process.stdout.read() == b""
            assert process.stderr.read() == b""
    finally:
        signal.signal(signal.SIGINT, before)


# Memory


PARAGRAPH = ("The export is slow. It waits for pages! " * 2_500)[:99_998] + "\n\n"


@pytest.mark.parametrize("by", ["line", "paragraph"])
def test_memory_does_not_grow_with_a_file(
    run: Run, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    def peak(paragraphs: int) -> int:
        stdin = PARAGRAPH.encode() * paragraphs
        # What the test would capture is no memory of the command.
        with Path(os.devnull).open("w") as nowhere:
            monkeypatch.setattr(sys, "stdout", nowhere)
            tracemalloc.start()
            assert run("split", "--by", by, stdin=stdin).code == 0
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return most

    # What is imported first is memory, too.
    peak(1)
    assert peak(9) <= 1.2 * peak(3)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_memory_does_not_grow_with_an_endless_pipe() -> None:
    megabyte = PARAGRAPH.replace("\n", " ").encode() * 10 + b"\n"
    with started("split", "--by", "line") as process:
        status = Path(f"/proc/{process.popen.pid}/status")

        def peak(megabytes: int) -> int:
            """Return the most memory it had, behind so much more output."""
            read = 0
            while read < megabytes * 1_000_000:
                part = os.read(process.stdout.fileno(), 1 << 20)
                # An end would be read again and again.
                assert part, process.stderr.read().decode()
                read += len(part)
            return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0])

        def feed() -> None:
            with suppress(OSError, ValueError):
                while True:
                    process.write(megabyte)

        feeder = threading.Thread(target=feed)
        feeder.start()
        before = peak(3)
        assert peak(9) <= 1.1 * before
        process.popen.kill()
        feeder.join()
