"""ChunkingStrategy: the contract between a strategy and its driver."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import override

from ._quote import shown
from ._resplit import resplit
from ._spans import S
from ._takes import constructor_takes
from .errors import ChunkwiseError, ContractError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Self

    from ._pending import Read
    from ._spans import ScanFields, SpanFields
    from ._takes import Takes

registered_names: dict[type[ChunkingStrategy[Any]], str] = {}
"""The name of each registered class: written by the registry, read by ``to_dict``."""


class ChunkingStrategy(Generic[S]):
    """Decides where chunks end. Immutable, and without memory of any stream.

    One instance serves any number of streams and threads. There are two ways to write
    one; what is not written is derived:

    * **Level 1**: override `split`, and `flush` if the last fragment is to be
      released. The driver re-splits the pending text for every delta and places the
      chunks by position.
    * **Level 2**: override `begin` and `scan`. Linear, may overlap, can say what is
      certain; every built-in strategy is written this way.

    Promises. Write ``scan(t)`` for the scan of a whole text ``t`` that is not final:

    * **Verbatim**: a chunk is the stream between its start and its end; it is never
      empty, and starts strictly increase.
    * **Stability**: the spans of ``scan(a)`` are the first spans of ``scan(a + b)``.
    * **Resumption**: with its ``resume`` and ``state`` carried on, the next scan
      finds the other spans of ``scan(a + b)``, no more. For level 1: behind the last
      chunk of ``split(t)``, ``split`` of the rest gives nothing.
    * **Completion**: a final scan extends the plain one and resumes at the end.
    * **Order**: chunks overlap only if `overlaps` says so.
    * **Purity**: the same arguments give the same result; what is read back by a
      scanner that is bound to a stream is one of them.

    Stability and resumption together are delta-invariance: the chunks do not depend
    on how the stream was sliced into deltas.

    Examples:
        >>> class SemicolonChunking(ChunkingStrategy):
        ...     def split(self, text: str) -> list[str]:
        ...         return [part for part in text.split(";")[:-1] if part]
        >>> SemicolonChunking().split("a;b;c")
        ['a', 'b']
    """

    __slots__ = ()

    @property
    def trigger(self) -> frozenset[str]:
        """Code points that can complete a chunk after a scan that said when to wake.

        Matters only for a strategy whose scans set ``Scan.wake``; empty by default.
        """
        return frozenset()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse a class whose ``split`` or ``flush`` no driver would ever call."""
        super().__init_subclass__(**kwargs)
        own = vars(cls)
        if (
            ("split" in own or "flush" in own)
            and "scan" not in own
            and cls.scan is not ChunkingStrategy.scan
        ):
            msg = (
                f"{cls.__qualname__} overrides split() or flush(), but drivers call "
                "the scan() that it inherits; override begin() and scan(), or derive "
                "from ChunkingStrategy"
            )
            raise TypeError(msg)
        scan = own.get("scan")
        if inspect.isfunction(scan) and scan.__code__.co_kwonlyargcount:
            # Drivers leave `final` out while it is false, which saves a twentieth of
            # the time of a delta; a scan written without that default gets it.
            scan.__kwdefaults__ = {"final": False, **(scan.__kwdefaults__ or {})}

    if not TYPE_CHECKING:  # Type checkers are to look at __init__ alone.

        def __new__(cls, *args: Any, **kwargs: Any) -> Self:
            """Refuse to make a strategy that overrides neither `split` nor `scan`."""
            check_concrete(cls)
            if (args or kwargs) and cls.__init__ is object.__init__:
                msg = f"{cls.__qualname__}() takes no arguments"
                raise TypeError(msg)
            return super().__new__(cls)

    def split(self, text: str) -> list[str]:
        """Return the complete chunks of *text*; the trailing fragment is withheld.

        Args:
            text: Text from the start of a stream or from the end of a chunk.

        Returns:
            The chunks in order, each a non-empty verbatim substring behind the one
            before it. Empty when no boundary was reached.
        """
        return _texts(text, self.scan(text, 0, self.begin(0))[0])

    def flush(self, text: str) -> list[str]:
        """Return what is released of the fragment that ``split(text)`` withheld.

        Called when no more text will come.

        Args:
            text: Text as for `split`.

        Returns:
            Usually the fragment alone, or nothing. A strategy of level 1 that does not
            override this discards its fragment.
        """
        if type(self).scan is ChunkingStrategy.scan:
            return []
        withheld = len(self.scan(text, 0, self.begin(0))[0])
        spans = self.scan(text, 0, self.begin(0), final=True)[0]
        return _texts(text, spans[withheld:])

    def begin(self, offset: int) -> S:
        """Return the state with which a stream begins at *offset*.

        Args:
            offset: Code points from the start of the stream. Not 0 where the strategy
                starts in mid-stream, after ``Chunker.cut()`` for example.
        """
        del offset
        # Only level 1 inherits this: its state is the chunk released last, if any.
        return None  # type: ignore[return-value]

    def begin_again(self, offset: int, state: S) -> S:
        """Return the state with which the stream goes on at *offset*, behind a cut.

        Nothing of what is open crosses a cut, and by default nothing at all does. Here
        a strategy says what stays in force, as headings do, for example.

        Args:
            offset: Where the next scan begins.
            state: What the final scan of the text before the cut returned. It has seen
                all of it, and where only a part was released more than what lies before
                *offset*.
        """
        del state
        return self.begin(offset)

    def scan(
        self,
        text: str,
        base: int,
        state: S,
        final: bool = False,  # noqa: FBT001, FBT002 - by position it is faster to call
    ) -> ScanFields[S]:
        """Look at the next part of the stream.

        A pure function: what it has to know from left of *base* is in *state*, or is
        read back by a scanner that `bound_to` made. All offsets, also those inside the
        state, are stream offsets. A scan that is written with a keyword-only ``final``
        without a default gets ``False`` as that.

        Args:
            text: The stream from *base* to its present end; may be empty.
            base: Where the last scan said to resume.
            state: What the last scan returned; at first that of `begin`.
            final: Whether the stream ends behind *text*. May be left out while it is
                false.

        Returns:
            The chunks that are certain by now, and how to go on.

        Raises:
            ContractError: A strategy of level 1 broke its contract.
        """
        return resplit(  # type: ignore[return-value]  # level 1: S is Released
            self.split,
            self.flush,
            text,
            base,
            state,  # type: ignore[arg-type]  # as above
            final=final,
            strategy=type(self).__name__,
        )

    def bound_to(self, read: Read) -> ChunkingStrategy[S]:
        """Return what scans one stream: this strategy, unless it has to read back.

        A strategy that combines others looks again at text left of *base*, because
        its parts go over the text at different paces. It returns a scanner that holds
        *read*: ``read(start, end)`` is the stream between two offsets left of *base*,
        as far as ``keep`` or ``resume`` of the last scan reached back. The result
        still depends on nothing but the stream. Its own `scan` works on whole texts.

        Args:
            read: Returns text of the stream.
        """
        del read
        return self

    def opened(self, text: str, base: int, state: S) -> tuple[int, int] | None:
        """Return how much surely belongs to the chunk that is open.

        Asked by strategies that look inside an open chunk. Like the spans, the answer
        depends on the stream alone, not on how it was sliced. Once it is not ``None``
        it stays so, with the same start and an end that never goes back, until a chunk
        with that start is complete.

        Args:
            text: The stream from *base* to its present end.
            base: Where the last scan said to resume.
            state: What that scan returned.

        Returns:
            Where the next chunk starts, and an offset up to which the text belongs to
            it whatever follows. ``None`` when none of this is sure, which is what a
            strategy says that does not override this: what is inside its chunks then
            waits for their ends.
        """
        del text, base, state
        return None

    def needs(self, base: int, state: S) -> int:
        """Return from where on later scans read the text back.

        Less than ``keep`` asks for: a chunk that is open is none of its business. Asked
        by strategies that look inside an open chunk, and hold only what is needed.

        Args:
            base: Where the last scan said to resume.
            state: What that scan returned.

        Returns:
            An offset that is at most *base*. A strategy that is not bound to a stream
            reads nothing back, and inherits this: *base*.
        """
        del state
        return base

    @property
    def overlaps(self) -> bool:
        """Whether a chunk may begin before the end of the one before it."""
        return False

    def to_dict(self) -> dict[str, object]:
        """Return the dictionary form: ``{"type": name, parameter: value, …}``.

        ``strategy_from_dict`` makes an equal strategy of it. Every parameter of the
        constructor is in it, read from the attribute of the same name; nested
        strategies nest. It holds no code and can be written as JSON.

        Raises:
            ContractError: The class is not registered, or a parameter has no attribute
                of its name or a value that a dictionary cannot carry.
        """
        cls = type(self)
        if cls not in registered_names:
            problem = (
                "its class is not registered, so it has no dictionary form; "
                "register_strategy(name, cls) gives it one"
            )
            raise ContractError(problem, strategy=cls.__name__)
        form: dict[str, object] = {"type": registered_names[cls]}
        for name in parameters(cls):
            form[name] = self._plain_parameter(name)
        return form

    def _plain_parameter(self, name: str) -> object:
        try:
            return plain(getattr(self, name))
        except (AttributeError, TypeError):
            found = repr(getattr(self, name, "no attribute of that name"))
            problem = (
                f"parameter {name!r} cannot be written to a dictionary: found {found}, "
                "expected None, a bool, number, str, strategy, or a sequence or "
                "mapping of these"
            )
            raise ContractError(problem, strategy=type(self).__name__) from None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the strategy with these parameters.

        Args:
            values: Parameters of the constructor by name; nested strategies are
                strategies here.

        Raises:
            ValueError: A parameter is unknown, missing, or has a wrong value.
            TypeError: The constructor has parameters that a dictionary cannot hold.
        """
        check_parameters(cls)
        known = parameters(cls)
        expected = ", ".join(map(repr, known)) or "no parameters"
        for name in values:
            if name not in known:
                raise WrongKeyError(cls, "unknown key", name, expected)
        for name, parameter in known.items():
            if parameter.default is inspect.Parameter.empty and name not in values:
                raise WrongKeyError(cls, "no", name, expected)
        takes = taken_by(cls)
        for name, value in values.items():
            if not takes[name].fits(value):
                found = f"found {shown(value)} for"
                raise WrongKeyError(cls, found, name, takes[name].words)
        try:
            return cls(**values)
        except ChunkwiseError:
            raise
        except (TypeError, ValueError) as error:
            msg = f"{cls.__name__}: {error}"
            raise ValueError(msg) from error


class WrongKeyError(ValueError):
    """A key of a dictionary is unknown or missing, or has a wrong value.

    Whoever knows where the dictionary is nested says it again with the path.

    Args:
        cls: The class that does not take the dictionary.
        found: What is wrong about the key, in the words before it.
        key: The key.
        expected: What the class takes.
    """

    def __init__(self, cls: type, found: str, key: object, expected: str) -> None:
        super().__init__(cls, found, key, expected)
        self.cls = cls
        self.found = found
        self.key = key
        self.expected = expected

    @override
    def __str__(self) -> str:
        return self.said_with(self.key)

    def said_with(self, path: object) -> str:
        """Return the message with *path* in place of the key."""
        return (
            f"{self.cls.__name__}: {self.found} {path!r} in the dictionary, "
            f"expected {self.expected}"
        )


def taken_by(cls: type[ChunkingStrategy[Any]]) -> Mapping[str, Takes]:
    """Return what each of the constructor's parameters takes, by name."""
    if cls.__init__ is object.__init__:
        return {}
    return constructor_takes(cls, ChunkingStrategy)


def check_parameters(cls: type[ChunkingStrategy[Any]]) -> None:
    """Check that a dictionary can hold all of the constructor's parameters.

    Raises:
        TypeError: One of them cannot be given by name, or is named ``type``.
    """
    for parameter in parameters(cls).values():
        by_name = (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if parameter.kind not in by_name or parameter.name == "type":
            bare = str(parameter.replace(annotation=parameter.empty))
            msg = (
                f"a dictionary cannot hold the parameter {bare!r} of "
                f"{cls.__qualname__}; expected parameters that are given by name, "
                "none of them 'type', or a class that overrides to_dict() and "
                "from_dict()"
            )
            raise TypeError(msg)


def parameters(
    cls: type[ChunkingStrategy[Any]],
) -> Mapping[str, inspect.Parameter]:
    """Return the constructor's parameters by name, without ``self``."""
    if cls.__init__ is object.__init__:
        return {}
    named = dict(inspect.signature(cls.__init__).parameters)
    del named[next(iter(named))]
    return named


def check_concrete(cls: type[ChunkingStrategy[Any]]) -> None:
    """Check that a class says how it splits.

    Raises:
        TypeError: It overrides neither ``split`` nor ``scan``.
    """
    if cls.split is ChunkingStrategy.split and cls.scan is ChunkingStrategy.scan:
        msg = (
            f"cannot instantiate {cls.__qualname__}: it overrides neither split() "
            "nor scan()"
        )
        raise TypeError(msg)


def check_bool(name: str, value: object) -> None:
    """Check that a parameter is a ``bool``, because ``"no"`` would count as true.

    Raises:
        TypeError: It is not.
    """
    if not isinstance(value, bool):
        msg = f"{name} must be a bool, got {value!r}"
        raise TypeError(msg)


def check_no_overlap(name: str, strategy: ChunkingStrategy[Any]) -> None:
    """Check that the chunks of an inner strategy do not overlap.

    Raises:
        ValueError: They may.
    """
    if strategy.overlaps:
        msg = f"{name} must not overlap, got {strategy!r}"
        raise ValueError(msg)


def plain(value: object) -> object:
    """Return *value* as JSON knows it; raise ``TypeError`` where there is no such."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, ChunkingStrategy):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    raise TypeError(value)


def _texts(text: str, spans: Sequence[SpanFields]) -> list[str]:
    return [text[span[0] : span[1]] for span in spans]
