"""The report of a long list: ranked rows, what stops them, and the shortlist compared in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterplan.core.results.compare import ListSection
from clusterplan.core.results.plan import Report
from clusterplan.planning.site_doubt import ALL_DRAWN_UP_TO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.compare import GateCountRow, SiteRow
    from clusterplan.planning.comparison_settings import Settings
    from clusterplan.planning.list_ranking import Ranking
    from clusterplan.planning.shortlist import Shortlist

SCHEMA = "clusterplan/compare/1"
# columns of a row that only the full comparison fills, beside its rank and score there
COMPARED = (
    *("first_rank_share", "share_without_gates", "share_at_ignorance"),
    *("first_phase_p50", "first_phase_p90", "first_phase_months_p50", "first_phase_months_p90"),
    *("gw_years_p50", "gw_years_p90", "target_p50", "firm_share_percent", "critical"),
    *("capex_musd", "capex_usd_per_it_kw", "compute_usd_per_h100e_hour"),
)
_GATES_TOLD = 3
_LEFT_OUT_TOLD = 3


def list_report(
    found: Ranking,
    rows: Sequence[SiteRow],
    best: Shortlist,
    settings: Settings,
    aside_shown: int | None = None,
) -> Report:
    """The parts of a list, with `rows` as they are shown, then those of the comparison."""
    counts = found.gate_counts()
    ranked, aside = len(found.places), len(found.aside)
    basis = _basis(found, best, settings)
    section = ListSection(
        rows_read=ranked + aside,
        rows_set_aside=aside,
        sites_ranked=ranked,
        sites_clear=found.clear_count,
        sites_without_rack=found.without_rack,
        sites_compared=len(best.sites),
        basis=basis,
    )
    title = f"{ranked:,} of {ranked + aside:,} sites ranked"
    if aside:
        title += f", {aside:,} set aside"
    compared = {} if best.report is None else dict(best.report.parts)
    verdict = compared.pop("verdict", "")
    shortlist = compared.pop("sites", ())
    words = [_opening(section), *_stopped(counts, section, settings), basis, *_refused(best)]
    return Report(
        schema=SCHEMA,
        title=title,
        parts={
            "sites": tuple(rows),
            "set_aside": tuple(found.aside[:aside_shown]),
            "verdict": " ".join([*words, verdict]).strip(),
            "list": section,
            "gate_counts": counts,
            "shortlist": shortlist,
            **compared,
        },
    )


def with_shortlist(row: dict[str, Any], compared: SiteRow | None) -> dict[str, Any]:
    """A row of the list with what only the full comparison tells; its own figures stay."""
    if compared is None:
        return row
    told = {name: getattr(compared, name) for name in COMPARED}
    return row | told | {"shortlist_rank": compared.rank, "shortlist_score": compared.score}


def _opening(section: ListSection) -> str:
    rows = f"{section.rows_read:,} row{'' if section.rows_read == 1 else 's'} read"
    aside = f", {section.rows_set_aside:,} set aside" if section.rows_set_aside else ""
    empty = ""
    if section.sites_without_rack:
        empty = f", {section.sites_without_rack:,} of which hold no rack"
    return f"{rows}{aside}, {section.sites_ranked:,} sized and ranked{empty}."


def _stopped(
    counts: tuple[GateCountRow, ...], section: ListSection, settings: Settings
) -> list[str]:
    """How many pass all gates, and the gates that most sites fail or leave open."""
    if not section.sites_ranked:
        return []
    clear = section.sites_clear
    words = [f"{clear:,} pass{'es' if clear == 1 else ''} all gates."]
    if not clear:
        words = ["None passes all gates."]
    for name in ("failed", "unknown"):
        most = sorted(counts, key=lambda row: -getattr(row, name))[:_GATES_TOLD]
        gates = [f"{row.gate} ({getattr(row, name):,})" for row in most if getattr(row, name)]
        if gates:
            words.append(f"Most often {name}: {', '.join(gates)}.")
    if settings.owner is None:
        words.append("None can pass ownership before the setting owner is given.")
    return words


def _basis(found: Ranking, best: Shortlist, settings: Settings) -> str:
    """What the shortlist is and what its order rests on, in one sentence."""
    count, ranked = len(best.sites), len(found.places)
    if not count:
        return "No site is compared in full."
    against = "the order of the list rests on typical times"
    if ranked <= ALL_DRAWN_UP_TO:
        what = f"All {ranked} sites are" if count > 1 else "The site is"
        if count < ranked:
            what = f"{count} of {ranked} sites are"
    else:
        most, clear = settings.integer("drawn_sites"), _clear_count(best)
        what = (
            f"The shortlist of {count}, the {most} best of each gate class ({clear} clear,"
            f" {count - clear} not clear), is"
        )
    return f"{what} compared in full by drawn calendars, while {against}."


def _clear_count(best: Shortlist) -> int:
    return 0 if best.report is None else int(best.report.parts["comparison"].clear_count)


def _refused(best: Shortlist) -> list[str]:
    """Sites that were sized but cannot be planned in full."""
    if not best.left_out:
        return []
    told = [f"{name} ({why})" for name, why in best.left_out[:_LEFT_OUT_TOLD]]
    more = len(best.left_out) - len(told)
    rest = f" and {more} more" if more > 0 else ""
    return [f"Not compared in full: {', '.join(told)}{rest}."]
