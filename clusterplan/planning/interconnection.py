"""Which rules for large loads hold for a load, and how both readings of it stand to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterplan import catalog
from clusterplan.core.record import given
from clusterplan.core.results.load_letter import RuleVerdict
from clusterplan.sizing.load_letter import APPLIES, BELOW, threshold_verdict

if TYPE_CHECKING:
    from clusterplan.core.equipment import InterconnectionRule

PROCESS = ("process", "allocation", "tariff")


class JudgedLoad(NamedTuple):
    """A load as rules see it: where, at which voltage, and how large by either reading.

    utility: words of operator, utility and market. planned: peak of the plan, existing load
    included; requested: what was asked of the utility.
    """

    utility: str
    country: str
    state: str
    islanded: bool
    kv: float
    planned_mw: float
    requested_mw: float
    power_factor: float
    computational_percent: float


def rules_for(load: JudgedLoad) -> tuple[InterconnectionRule, ...]:
    """Rules of the place and of the utility; the assumed one where no process is on file."""
    words = f" {load.utility.lower()} "
    rows = catalog.interconnection_rules()
    found = [row for row in rows if _is_of(row, load, words)]
    if not any(row.topic in PROCESS for row in found if row.keys or row.countries != ("US",)):
        found += [row for row in rows if not row.keys and not row.countries]
    return tuple(found)


def _is_of(row: InterconnectionRule, load: JudgedLoad, words: str) -> bool:
    if not row.keys and not row.countries:
        return False
    if row.countries and load.country not in row.countries:
        return False
    if row.states and load.state not in row.states:
        return False
    if row.islanded != load.islanded:
        return False
    return not row.keys or any(f" {key} " in words for key in row.keys)


def rule_verdicts(load: JudgedLoad, margin: float) -> tuple[RuleVerdict, ...]:
    """Every rule of the place against the load; margin: the fraction that counts as near."""
    found = tuple(_verdict(row, load, margin) for row in rules_for(load))
    for verdict in found:
        path = f"rules.{verdict.name}"
        source = f"interconnection rules, {verdict.status}: {verdict.source}"
        given(f"{path}.threshold", verdict.threshold, verdict.unit, source, verdict.verified)
        given(f"{path}.planned", verdict.planned, verdict.unit, "final load of the plan")
        given(f"{path}.requested", verdict.requested, verdict.unit, "grid file")
    return found


def _verdict(row: InterconnectionRule, load: JudgedLoad, margin: float) -> RuleVerdict:
    threshold, unit, scale = row.threshold_mw, "MW", 1.0
    field = "threshold_mw"
    if threshold is None and row.threshold_mva is not None:
        threshold, unit, scale = row.threshold_mva, "MVA", 1.0 / load.power_factor
        field = "threshold_mva"
    planned, requested = load.planned_mw * scale, load.requested_mw * scale
    verdict, reading = _words(row, load, (planned, requested), (threshold, unit, margin))
    if not row.in_force and not verdict.startswith("no"):
        verdict = ("would apply" if verdict == "applies" else verdict) + ", not in force"
    flag = row.verified if threshold is None else row.verified_of(field)
    return RuleVerdict(
        name=row.name,
        topic=row.topic,
        verdict=verdict,
        threshold=threshold,
        unit=unit,
        planned=planned,
        requested=requested,
        reading=reading,
        asks=_asks(row),
        status=row.status,
        source=row.source,
        verified=flag,
    )


def _words(
    row: InterconnectionRule,
    load: JudgedLoad,
    readings: tuple[float, float],
    rule: tuple[float | None, str, float],
) -> tuple[str, str]:
    """Verdict and how it was read."""
    threshold, unit, margin = rule
    if row.least_kv is not None and load.kv < row.least_kv:
        return "no: voltage", f"holds from {row.least_kv:g} kV, the service is {load.kv:g} kV"
    if row.most_kv is not None and load.kv > row.most_kv:
        return "no: voltage", f"holds to {row.most_kv:g} kV, the service is {load.kv:g} kV"
    least = row.least_computational_percent
    if least is not None and load.computational_percent < least:
        share = f"{load.computational_percent:.0f} % computational"
        return "no: share", f"{share}, {least:g} % is where it starts"
    if threshold is None:
        return "applies", "no size is named"
    planned, requested = (f"{value:,.4g} {unit}" for value in readings)
    found = threshold_verdict(readings, threshold, margin)
    if found == APPLIES:
        return "applies", f"both readings are above {threshold:g} {unit}"
    if found == BELOW:
        return "no: below", f"both readings are below {threshold:g} {unit}"
    parts = [
        f"{'applies' if value >= threshold else 'does not'} at the {text} {name}"
        for value, text, name in (
            (readings[0], planned, "planned"),
            (readings[1], requested, "requested"),
        )
    ]
    near = [value for value in readings if abs(value / threshold - 1.0) <= margin]
    if near:
        parts.append(f"within {100.0 * margin:g} % of {threshold:g} {unit}")
    return "boundary", "; ".join(parts)


def _asks(row: InterconnectionRule) -> str:
    """What the rule asks, in one line; no sentence of the source."""
    parts = []
    if row.stages:
        parts.append(" > ".join(row.stages))
    if row.least_months is not None and row.most_months is not None:
        flag = "" if row.verified_of("least_months") == "true" else " (planning range)"
        parts.append(f"{row.least_months:g} to {row.most_months:g} months{flag}")
    if row.study_fee:
        parts.append(f"fee: {row.study_fee}")
    if row.security:
        parts.append(f"security: {row.security}")
    if row.term_years is not None:
        parts.append(f"term {row.term_years:g} years")
    if row.minimum_take_percent is not None:
        parts.append(f"minimum take {row.minimum_take_percent:g} %")
    if row.power_factor_lag is not None:
        parts.append(f"power factor {row.power_factor_lag:g} lag, {row.power_factor_lead:g} lead")
    if row.recovery:
        parts.append(f"recovery: {row.recovery}")
    if row.curtailment:
        parts.append(f"curtailment: {row.curtailment}")
    if row.note:
        parts.append(row.note)
    return "; ".join(parts)
