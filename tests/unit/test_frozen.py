"""`core.frozen`: records that behave as frozen, keyword-only dataclasses."""

from __future__ import annotations

import dataclasses

import pytest

from clusterplan.core.frozen import frozen


@frozen
class Base:
    """A base."""

    id: str
    note: str = ""


@frozen
class Row(Base):
    """A row with every kind of default."""

    watts: float
    parts: tuple[int, ...] = ()
    names: dict[str, int] = dataclasses.field(default_factory=dict)
    shown: int = dataclasses.field(default=3, metadata={"figure": "x"})


def test_fields_are_those_of_a_dataclass() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class PlainBase:
        id: str
        note: str = ""

    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Plain(PlainBase):
        watts: float
        parts: tuple[int, ...] = ()
        names: dict[str, int] = dataclasses.field(default_factory=dict)
        shown: int = dataclasses.field(default=3, metadata={"figure": "x"})

    for own, plain in zip(dataclasses.fields(Row), dataclasses.fields(Plain), strict=True):
        for name in ("name", "type", "default", "default_factory", "metadata", "kw_only"):
            assert getattr(own, name) == getattr(plain, name)
    assert dataclasses.is_dataclass(Row)
    assert dataclasses.asdict(Row(id="a", watts=1.0)) == dataclasses.asdict(
        Plain(id="a", watts=1.0)
    )


def test_defaults_and_factories() -> None:
    one, two = Row(id="a", watts=2.0), Row(id="b", watts=3.0)
    assert (one.note, one.parts, one.shown) == ("", (), 3)
    assert one.names == {}
    assert one.names is not two.names
    assert Row.shown == 3  # as a dataclass leaves it
    assert not hasattr(Row, "names")


def test_replace_keeps_the_rest() -> None:
    one = dataclasses.replace(Row(id="a", watts=2.0, note="n"), watts=5.0)
    assert (one.id, one.watts, one.note) == ("a", 5.0, "n")


def test_missing_and_unknown_are_refused() -> None:
    with pytest.raises(TypeError, match="Row needs watts"):
        Row(id="a")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Row has no wats"):
        Row(id="a", watts=1.0, wats=2.0)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Row("a", 1.0)  # type: ignore[misc]


def test_nothing_is_changed_nor_deleted() -> None:
    one = Row(id="a", watts=2.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.watts = 3.0  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.watts
    assert one != Row(id="a", watts=2.0)  # by identity
