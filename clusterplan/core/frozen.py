"""`frozen`: a keyword-only, immutable dataclass that is quick to declare.

The standard decorator writes and compiles three functions for every class and reads every
annotation, which for hundreds of catalogue and result classes is a tenth of the start-up time.
Here one `__init__` serves all. What `dataclasses` offers (`fields`, `replace`, `is_dataclass`)
works as usual; objects compare by identity.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclasses.dataclass
class _Sample:
    """Tells what the standard library marks an ordinary field with."""

    field: int = 0


# private, but what `fields` goes by in every release; tests/unit/test_frozen.py would tell
_KIND = dataclasses.fields(_Sample)[0]._field_type  # type: ignore[attr-defined]
_MISSING = dataclasses.MISSING


def _init(self: Any, **given: Any) -> None:
    state = self.__dict__
    for name, default, factory in self.__frozen_fields__:
        if name in given:
            state[name] = given.pop(name)
        elif default is not _MISSING:
            state[name] = default
        elif factory is not _MISSING:
            state[name] = factory()
        else:
            message = f"{type(self).__name__} needs {name}"
            raise TypeError(message)
    if given:
        message = f"{type(self).__name__} has no {', '.join(given)}"
        raise TypeError(message)


def _no_change(self: Any, name: str, *_: Any) -> None:
    message = f"{type(self).__name__}.{name} may not be changed"
    raise dataclasses.FrozenInstanceError(message)


@dataclass_transform(
    kw_only_default=True,
    frozen_default=True,
    eq_default=False,
    field_specifiers=(dataclasses.field,),
)
def frozen(cls: type[T]) -> type[T]:
    """Declare a class as a frozen record of its annotated fields and those of its bases."""
    made: Any = cls
    fields: dict[str, Any] = {}
    for base in reversed(made.__mro__[1:]):
        fields |= getattr(base, "__dataclass_fields__", {})
    for name, annotation in inspect.get_annotations(made).items():
        found = made.__dict__.get(name, _MISSING)
        if not isinstance(found, dataclasses.Field):
            found = dataclasses.field(default=found)
        elif found.default is _MISSING:
            delattr(made, name)
        else:
            setattr(made, name, found.default)
        found.name, found.type, found.kw_only = name, annotation, True
        found._field_type = _KIND
        fields[name] = found
    made.__dataclass_fields__ = fields
    made.__frozen_fields__ = tuple(
        (item.name, item.default, item.default_factory) for item in fields.values()
    )
    made.__init__ = _init
    made.__setattr__ = made.__delattr__ = _no_change
    return cls
