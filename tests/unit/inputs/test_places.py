"""Country, state and coordinates, with boxes of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterplan import catalog
from clusterplan.inputs.checks import Findings
from clusterplan.inputs.document import Document
from clusterplan.inputs.places import check_place
from clusterplan.inputs.site_file import Site
from clusterplan.inputs.validation import validate
from clusterplan.inputs.yaml_text import parse_yaml

if TYPE_CHECKING:
    from clusterplan.core.equipment import Region, State


def place(text: str) -> tuple[Region | None, State | None, list[str]]:
    head = "id: x\nname: X\n"
    document = Document("site.yaml", parse_yaml(head + text, "site.yaml"), "site")
    site, problems = validate(Site, document)
    assert problems == []
    found = Findings(site, "site")
    region, state = check_place(site, found, catalog.regions(), catalog.us_states())
    return region, state, [str(problem) for problem in found.problems]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("country: NO\nlatitude: 59.9\nlongitude: 10.7", "NOR"),  # not False, as in YAML 1.1
        ("country: no\nlatitude: 59.9\nlongitude: 10.7", "NOR"),
        ("country: NOR\nlatitude: 59.9\nlongitude: 10.7", "NOR"),
        ("country: SE\nlatitude: 65.58\nlongitude: 22.15", "SWE"),
        ("country: MY\nlatitude: 1.49\nlongitude: 103.74", "MYS"),
        ("country: US\nstate: VA\nlatitude: 39.04\nlongitude: -77.49", "USA"),
        ("country: USA\nstate: tn\nlatitude: 35.07\nlongitude: -90.15", "USA"),
        ("country: US\nstate: NM\nlatitude: 31.8\nlongitude: -106.7", "USA"),
        ("country: NZ\nlatitude: -36.85\nlongitude: 174.76", "NZL"),
    ],
)
def test_right_places(text: str, iso: str) -> None:
    region, state, problems = place(text)
    assert problems == []
    assert region is not None
    assert region.iso3 == iso
    assert (state is not None) == (iso == "USA")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("country: UK\nlatitude: 51\nlongitude: 0", "unknown country 'UK'; did you mean \"GB\"?"),
        ("country: Norway\nlatitude: 60\nlongitude: 10", "write the ISO 3166 code, NO"),
        (
            "country: Untied States\nlatitude: 32\nlongitude: -99",
            "unknown country 'Untied States'; did you mean \"US\" (United States)?",
        ),
        (
            "country: Swedn\nlatitude: 60\nlongitude: 15",
            "unknown country 'Swedn'; did you mean \"SE\" (Sweden)?",
        ),
        (
            "country: US\nstate: Texs\nlatitude: 32\nlongitude: -99",
            "unknown state 'Texs'; did you mean \"TX\" (Texas)?",
        ),
        ("country: XX\nlatitude: 60\nlongitude: 10", "unknown country 'XX'"),
        ("country: 'False'\nlatitude: 60\nlongitude: 10", "unknown country 'False'"),
        ("country: US\nlatitude: 32\nlongitude: -99", "site.state: is missing; required in the US"),
        ("country: US\nstate: Texas\nlatitude: 32\nlongitude: -99", "write TX"),
        ("country: US\nstate: ZZ\nlatitude: 32\nlongitude: -99", "unknown state 'ZZ'"),
        ("country: US\nstate: TX\nlatitude: 32.4\nlongitude: 99.7", "west is negative"),
        ("country: US\nstate: TX\nlatitude: 39.0\nlongitude: -77.5", "is outside Texas"),
        ("country: SE\nlatitude: 22.15\nlongitude: 65.58", "are exchanged"),
        ("country: AU\nlatitude: 33.9\nlongitude: 151.2", "south is negative"),
        ("country: CL\nlatitude: 33.4\nlongitude: 70.6", "south and west are negative"),
        ("country: NO\nlatitude: 0\nlongitude: 0", "is outside Norway"),
    ],
)
def test_wrong_places(text: str, told: str) -> None:
    _, _, problems = place(text)
    assert len(problems) == 1
    assert told in problems[0]
    assert problems[0].startswith("site.yaml:")


def test_nothing_is_checked_without_tables() -> None:
    document = Document("s", parse_yaml("id: x\nname: X\ncountry: ZZ\n", "s"), "site")
    site, _ = validate(Site, document)
    found = Findings(site, "site")
    assert check_place(site, found, (), ()) == (None, None)
    assert found.problems == []
