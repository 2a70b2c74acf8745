"""Unit costs of the catalogue as a plan uses them: each one noted as an assumption."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given

if TYPE_CHECKING:
    from clusterplan.inputs.datum import Datum
    from clusterplan.planning.choices import Ledger

SHARE = "MUSD/MUSD-yr"
WORST_FIRST = ("false", "partial", "secondary", "true", "given")


class Price(NamedTuple):
    """A unit cost with its range, in `unit`; `id` is empty for a figure of the user."""

    low: float
    typical: float
    high: float
    unit: str
    year: int | None
    source: str
    verified: str
    id: str = ""

    @property
    def units_per_musd(self) -> float:
        """1 where the figure is in MUSD (or USD per W on MW), else a million."""
        return 1.0 if self.unit.startswith("MUSD") or self.unit == "USD/W" else 1e6

    @property
    def range(self) -> tuple[float, float, float]:
        """Low, high and, last, typical: of calls with one result the sheets show the last."""
        return self.low, self.high, self.typical

    @property
    def text(self) -> str:
        """As it is printed: `250 USD/kW`."""
        unit = self.unit.replace("MW_IT", "IT MW")
        if self.unit == SHARE:
            return f"{100 * self.typical:.3g} % a year"
        return f"{amount_text(self.typical)} {unit}"

    @property
    def year_text(self) -> str:
        """The year of its price, empty where the user did not say."""
        return "" if self.year is None else str(self.year)


def amount_text(amount: float) -> str:
    """A quantity in print: whole from a thousand on, else four figures."""
    return f"{amount:,.0f}" if abs(amount) >= 1000.0 else f"{amount:.4g}"


def worst_flag(*flags: str) -> str:
    """The weakest of several flags."""
    return min(flags, key=WORST_FIRST.index)


def of_catalog(cost_id: str, ledger: Ledger) -> Price:
    """A row of `unit_costs.csv`; that the plan rests on it is noted."""
    row = catalog.unit_cost(cost_id)
    low = row.typical if row.low is None else row.low
    high = row.typical if row.high is None else row.high
    ledger.assume(
        f"unit_costs.{row.id}",
        row.typical,
        row.unit,
        f"{row.name}, {row.year}; {row.source}",
        verified=row.verified,
    )
    return Price(low, row.typical, high, row.unit, row.year, row.source, row.verified, row.id)


def of_user(datum: Datum[float], unit: str, source: str) -> Price:
    """A figure of the user's files, with its range where one is given.

    One without a source is unverified; the flag says how the source stands, not who gave it.
    """
    low = datum.value if datum.low is None else datum.low
    high = datum.value if datum.high is None else datum.high
    flag = datum.verified if datum.source else "given"
    year = datum.date.year if datum.date else None
    return Price(low, datum.value, high, unit, year, datum.source or source, flag)


def note_inputs(path: str, amount: tuple[float, str], price: Price, share: float) -> None:
    """Note what a cost is worked out from: `amount` (quantity, its unit), price and share."""
    quantity, unit = amount
    source = f"unit cost {price.id}: {price.source}" if price.id else price.source
    given(f"{path}.quantity", quantity, unit, "figure of its own section or file")
    given(f"{path}.share", share, "", "premiums and shares of the catalogue's unit costs")
    given(f"{path}.units_per_musd", price.units_per_musd, "", f"unit cost in {price.unit}")
    for name, figure in zip(("low", "high", "typical"), price.range, strict=True):
        given(f"{path}.{name}.unit_cost", figure, price.unit, source, price.verified)
