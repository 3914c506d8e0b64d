"""The command: bytes in, chunks out, each as soon as it is complete."""

from __future__ import annotations

import errno
import io
import json
import os
import runpy
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pytest
from typing_extensions import override

import chunkwise
from chunkwise import Chunker, ChunkingStrategy, _registry
from chunkwise.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from importlib.machinery import ModuleSpec


ANSWER = Path(__file__).parents[1] / "docs" / "examples" / "answer.md"

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


class Outcome(NamedTuple):
    """What one call of the command came to."""

    code: object
    out: bytes
    err: str


Run: TypeAlias = "Callable[..., Outcome]"


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> Run:
    """Return a function that calls the command in this process."""

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        (tmp_path / "stdin").write_bytes(stdin)
        with (tmp_path / "stdin").open() as source, monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", source)
            return _call(*arguments, patch=patch, captured=capsysbinary)

    return call


def _call(
    *arguments: str,
    patch: pytest.MonkeyPatch,
    captured: pytest.CaptureFixture[bytes],
) -> Outcome:
    patch.setattr(sys, "argv", ["chunkwise", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    out, err = captured.readouterr()
    return Outcome(exit_.value.code, out, err.decode())


def texts(outcome: Outcome) -> list[str]:
    """Return the texts in JSON lines."""
    return [json.loads(line)["text"] for line in outcome.out.split(b"\n")[:-1]]


@contextmanager
def started(*arguments: str, code: str = "") -> Iterator[Process]:
    """Start the command as a process of its own, with all three streams piped."""
    how = ["-c", code] if code else ["-m", "chunkwise"]
    with subprocess.Popen(  # noqa: S603 - our own interpreter and command
        [sys.executable, *how, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as popen:
        # Never waited for: it only keeps a test that fails from hanging.
        guard = threading.Timer(60, popen.kill)
        guard.start()
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        try:
            yield Process(popen, popen.stdin, popen.stdout, popen.stderr)
        finally:
            guard.cancel()
            popen.kill()


class Process(NamedTuple):
    """A running command."""

    popen: subprocess.Popen[bytes]
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def write(self, data: bytes) -> None:
        """Give it *data* to read now."""
        self.stdin.write(data)
        self.stdin.flush()


# What is printed


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
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    class Whole(ChunkingStrategy):
        """Takes notes of how far the text had come."""

        @override
        def split(self, text: str) -> list[str]:
            seen.append(text)
            return []

    known(monkeypatch, "whole", Whole)
    run("split", "--by", "whole", "--delta-size", "2", stdin="äbcde".encode())
    assert list(dict.fromkeys(seen)) == ["äb", "äbcd", "äbcde"]


def test_line_ends_and_backslashes_are_escaped_so_that_it_can_be_undone(
    run: Run,
) -> None:
    text = f"a\\n{LINE_ENDS}\\\tz"
    outcome = run("split", "--by", "sentence", stdin=text.encode())
    line = (
        r"a\\n\n\r\u000b\u000c\u001c\u001d\u001e\u0085\u2028\u2029\\"
        "\tz\n"
    )  # fmt: skip
    assert outcome.out.decode() == line
    as_json = '"' + line[:-1].replace("\t", "\\t") + '"'
    assert json.loads(as_json) == text


def test_a_line_of_json_has_no_line_end_inside(run: Run) -> None:
    text = f"a{LINE_ENDS}z"
    outcome = run("split", "--by", "sentence", "--json", stdin=text.encode())
    [line] = outcome.out.decode().splitlines()
    assert json.loads(line)["text"] == text


def test_text_is_printed_as_utf_8(run: Run) -> None:
    data = "Grüße, 你好 𝄞".encode()
    assert run("split", "--by", "sentence", stdin=data).out == data + b"\n"
    assert data in run("split", "--by", "sentence", "--json", stdin=data).out


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_lone_surrogate_is_printed_as_its_escape(run: Run, form: list[str]) -> None:
    call = ["split", "--by", "word", "--encoding", "unicode_escape", *form]
    outcome = run(*call, stdin=rb"a\udc80")
    assert outcome.code == 0
    assert rb"a\udc80" in outcome.out
    if form:
        assert texts(outcome) == ["a\udc80"]


# How bytes become text


def test_line_ends_are_not_translated(run: Run) -> None:
    outcome = run("split", "--by", "line", "--json", stdin=b"a\r\nb\rc\n")
    assert texts(outcome) == ["a\r\n", "b\r", "c\n"]


def test_a_bom_at_the_start_is_not_text(run: Run) -> None:
    call = ["split", "--by", "sentence", "--json", "--encoding", "utf-16-le"]
    outcome = run(*call, stdin="\ufeffa\ufeff".encode("utf-16-le"))
    assert json.loads(outcome.out)["start"] == 0
    assert texts(outcome) == ["a\ufeff"]


def test_bad_bytes_are_an_error_with_their_offset(run: Run, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.write_bytes(b"One. Tw\xffo. Three. ")
    good.write_bytes(b"Good. ")
    outcome = run("split", "--by", "sentence", str(good), str(bad), str(good))
    where = f"{bad}: 0xff at byte offset 7 is not utf-8: invalid start byte"
    assert outcome == (1, b"Good.\nOne.\n", f"chunkwise: {where}\n")


def test_a_bad_start_says_so_in_one_line(run: Run) -> None:
    outcome = run("split", "--by", "word", "--encoding", "utf-16", stdin=b"abcd")
    assert (outcome.code, outcome.out) == (1, b"")
    assert "does not start with BOM" in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("policy", "text"),
    [("replace", "a\ufffdb"), ("ignore", "ab"), ("backslashreplace", r"a\xffb")],
)
def test_a_policy_may_let_bad_bytes_pass(run: Run, policy: str, text: str) -> None:
    call = ["split", "--by", "word", "--json", "--errors", policy]
    assert texts(run(*call, stdin=b"a\xffb")) == [text]


def test_ends_of_reads_are_no_boundaries(run: Run, tmp_path: Path) -> None:
    long = tmp_path / "long"
    text = "ä" * 200_001
    long.write_bytes(text.encode())
    assert texts(run("split", "--by", "word", "--json", str(long))) == [text]


# What goes wrong


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--by", "sentnce"], "'sentnce' is no strategy, expected one of sentence, "),
        ([], "--by"),
        (["--by", "word", "--delta-size", "0"], "--delta-size"),
        (["--by", "word", "--errors", "surrogateescape"], "--errors"),
        (["--by", "word", "--encoding", "utf-9"], "'utf-9' is not a known text enc"),
        (["--by", "word", "--encoding", "hex"], "'hex' is not a known text encoding"),
        (["--by", "word", "--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage_exits_with_2(run: Run, arguments: list[str], says: str) -> None:
    outcome = run("split", *arguments, stdin=b"never read")
    assert (outcome.code, outcome.out) == (2, b"")
    assert says in outcome.err


def test_a_strategy_that_needs_parameters_is_not_offered(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Sized(ChunkingStrategy):
        """Cannot be made by name alone."""

        def __init__(self, size: int) -> None:
            self.size = size

    known(monkeypatch, "by_size", Sized)
    outcome = run("split", "--by", "by_size")
    assert outcome.code == 2
    told = " ".join(outcome.err.replace("│", " ").split())
    assert "'by_size' alone is no strategy, because Sized needs 'size'" in told


def test_a_strategy_with_parameters_is_a_json_object(run: Run) -> None:
    by = '{"type": "sized", "max_size": 8, "by": ["word"]}'
    outcome = run("split", "--by", by, stdin=b"one two three four")
    assert outcome.code == 0
    assert outcome.out == b"one two\nthree\nfour\n"


@pytest.mark.parametrize(
    ("by", "says"),
    [
        ('{"type": "sized"}', "max_size"),
        ('{"type": "wrd"}', "wrd"),
        ("{", "Expecting property name"),
        ('{"a":' * 10_000, "nested too deeply"),
    ],
)
def test_a_json_object_that_is_no_strategy_is_a_wrong_use(
    run: Run, by: str, says: str
) -> None:
    outcome = run("split", "--by", by)
    assert outcome.code == 2
    assert says in outcome.err


def known(
    monkeypatch: pytest.MonkeyPatch, name: str, cls: type[ChunkingStrategy[Any]]
) -> None:
    """Register a strategy until the test ends, which the library has no way for."""
    monkeypatch.setitem(_registry._classes, name, cls)  # noqa: SLF001 - see above


def test_a_missing_file_is_one_line(run: Run, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    outcome = run("split", "--by", "word", missing)
    problem = os.strerror(errno.ENOENT)
    assert outcome == (1, b"", f"chunkwise: {missing}: {problem}\n")


def test_a_directory_is_one_line(run: Run, tmp_path: Path) -> None:
    outcome = run("split", "--by", "word", str(tmp_path))
    assert (outcome.code, outcome.out) == (1, b"")
    assert outcome.err.startswith(f"chunkwise: {tmp_path}: ")
    assert outcome.err.count("\n") == 1


def test_a_name_that_is_not_printable_stays_on_its_line(run: Run) -> None:
    outcome = run("split", "--by", "word", "no\nsuch\udc80file")
    assert outcome.err.startswith(r"chunkwise: 'no\nsuch\udc80file': ")


def test_a_strategy_that_breaks_its_contract_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Inventing(ChunkingStrategy):
        """Returns what is not in the text."""

        @override
        def split(self, text: str) -> list[str]:
            return ["nowhere"]

    known(monkeypatch, "inventing", Inventing)
    outcome = run("split", "--by", "inventing", stdin=b"text")
    assert (outcome.code, outcome.out) == (1, b"")
    assert outcome.err.startswith("chunkwise: standard input: Inventing: ")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes always wait")
def test_a_source_that_does_not_wait_has_not_ended(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    os.write(write_end, b"One. Tw")
    with os.fdopen(read_end) as source, os.fdopen(write_end, "wb"):
        monkeypatch.setattr(sys, "stdin", source)
        arguments = ["split", "--by", "sentence"]
        outcome = _call(*arguments, patch=monkeypatch, captured=capsysbinary)
    problem = os.strerror(errno.EAGAIN)
    expected = (1, b"One.\n", f"chunkwise: standard input: {problem}\n")
    assert outcome == expected


@pytest.mark.parametrize("stream", ["input", "output"])
def test_a_standard_stream_may_not_be_there(
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    stream: str,
) -> None:
    monkeypatch.setattr(sys, f"std{stream[:-3]}", None)
    arguments = ["split", "--by", "word", str(ANSWER) if stream == "output" else "-"]
    outcome = _call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (1, b"", f"chunkwise: standard {stream} is closed\n")


def test_output_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    class Full(io.BytesIO):
        """A disk without space."""

        @override
        def flush(self) -> None:
            raise OSError(errno.ENOSPC, "disk full")

    full = SimpleNamespace(buffer=Full(), fileno=io.BytesIO().fileno)
    monkeypatch.setattr(sys, "stdout", full)
    arguments = ["split", "--by", "word", str(ANSWER)]
    outcome = _call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (1, b"", "chunkwise: standard output: disk full\n")


def test_a_closed_pipe_ends_it_and_keeps_nothing_for_later(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    # Closing it writes what is left: that would fail, had it not been given up.
    with os.fdopen(write_end, "w") as broken:
        monkeypatch.setattr(sys, "stdout", broken)
        arguments = ["split", "--by", "word", str(ANSWER)]
        outcome = _call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (0, b"", "")


# Help, version, start


def test_it_says_its_version(run: Run) -> None:
    version = f"chunkwise {chunkwise.__version__}\n"
    assert run("--version") == (0, version.encode(), "")


def test_without_arguments_it_shows_its_help(run: Run) -> None:
    outcome = run()
    assert "split" in outcome.out.decode() + outcome.err


def test_the_help_says_what_sentence_means(run: Run) -> None:
    outcome = run("split", "--help")
    told = " ".join(outcome.out.decode().split())
    assert outcome.code == 0
    assert 'sentence means SentenceChunking(rules="plain")' in told
    assert r"line ends as \n, \r or \u and four hex digits" in told
    # Other names want parameters, so they alone are no strategies.
    assert "What a chunk is: sentence, word, line, paragraph. " in told


def test_it_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.__main__")
    monkeypatch.setattr(sys, "argv", ["chunkwise", "--version"])
    with pytest.raises(SystemExit) as exit_:
        runpy.run_module("chunkwise", run_name="__main__")
    assert exit_.value.code == 0
    assert capsysbinary.readouterr().out.startswith(b"chunkwise ")


def test_without_its_library_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise._cli")
    monkeypatch.setitem(sys.modules, "typer", None)
    needs = 'the command needs typer: python -m pip install "chunkwise[cli]"'
    assert run("--version") == (2, b"", f"chunkwise: {needs}\n")


class Failing:
    """A finder that fails on one module."""

    def __init__(self, name: str, error: BaseException) -> None:
        self.name = name
        self.error = error

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Fail, or leave the module to others."""
        if name == self.name:
            raise self.error
        return None


@pytest.fixture
def fail_import(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Return a function that makes the import of the CLI library fail."""

    def fail(error: BaseException) -> None:
        monkeypatch.delitem(sys.modules, "chunkwise._cli")
        monkeypatch.delitem(sys.modules, "typer")
        monkeypatch.setattr(sys, "meta_path", [Failing("typer", error), *sys.meta_path])

    return fail


def test_any_other_missing_module_is_a_bug_and_looks_like_one(
    fail_import: Callable[[BaseException], None],
) -> None:
    fail_import(ModuleNotFoundError("no colours", name="colours"))
    with pytest.raises(ModuleNotFoundError, match="no colours"):
        main()


def test_an_interrupt_while_it_starts_exits_with_130(
    run: Run, fail_import: Callable[[BaseException], None]
) -> None:
    fail_import(KeyboardInterrupt())
    assert run("--version") == (130, b"", "")


# Real processes


def test_a_live_pipe_shows_each_chunk_at_once() -> None:
    with started("split", "--by", "sentence") as process:
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


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    with started("split", "--by", "word") as process:
        process.write(b"one ")
        assert process.stdout.readline() == b"one\n"
        process.stdout.close()
        process.write(b"two three ")
        # Input goes on: it is the output that ends it.
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


def test_a_process_without_the_library_says_one_line() -> None:
    code = """
import sys
sys.modules["typer"] = None
from chunkwise.__main__ import main
main()
"""
    with started("--version", code=code) as process:
        out, err = process.popen.communicate()
    assert (process.popen.returncode, out) == (2, b"")
    needs = 'the command needs typer: python -m pip install "chunkwise[cli]"'
    assert err.decode().splitlines() == [f"chunkwise: {needs}"]


def test_a_process_that_meets_bad_bytes_prints_no_traceback() -> None:
    with started("split", "--by", "sentence") as process:
        out, err = process.popen.communicate(b"\xef\xbb\xbfOne.\r\n\xff")
    assert (process.popen.returncode, out.rstrip()) == (1, b"One.")
    says = "standard input: 0xff at byte offset 9 is not utf-8: invalid start byte"
    assert err.decode().rstrip() == f"chunkwise: {says}"
