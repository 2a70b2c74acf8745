"""The SVG one-line diagram in a browser: what it measures, not what the drawing code meant.

Every label must lie inside the picture, and no label may touch another one or a wire. Sites from
2 MW to 5 GW, and one with long and odd names.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from clusterplan.cli.site_drawings import one_line
from clusterplan.cli.size import Asked
from clusterplan.reporting.one_line_svg import one_line_svg

SITES = Path(__file__).parents[2] / "sample_sites"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MEASURE = """
const svg = document.querySelector('svg');
const boxes = (names) => [...svg.querySelectorAll(names)].map((e) => {
  const b = e.getBoundingClientRect();
  return {kind: e.tagName, of: e.textContent, class: e.getAttribute('class') || '',
          x: b.left, y: b.top, right: b.right, bottom: b.bottom};
});
const all = {frame: boxes('svg > rect:first-of-type')[0], texts: boxes('text'),
             shapes: boxes('line, circle, polygon, rect.f')};
document.body.innerHTML = '<pre id="found">' + encodeURIComponent(JSON.stringify(all)) + '</pre>';
"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")


def _measured(svg: str, folder: Path) -> dict:
    body = svg[svg.index("<svg") :]
    page = folder / "page.html"
    page.write_text(
        f"<!doctype html><meta charset='utf-8'><body style='margin:0'>{body}"
        f"<script>{MEASURE}</script></body>",
        encoding="utf-8",
    )
    found = subprocess.run(
        [
            *(str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu"),
            *(f"--user-data-dir={folder / 'profile'}", "--dump-dom", page.as_uri()),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    from urllib.parse import unquote

    text = found.partition('<pre id="found">')[2].partition("</pre>")[0]
    return json.loads(unquote(text))


def _meet(one: dict, other: dict) -> bool:
    return (
        min(one["right"], other["right"]) - max(one["x"], other["x"]) > 0.5
        and min(one["bottom"], other["bottom"]) - max(one["y"], other["y"]) > 0.5
    )


def _inner(box: dict) -> dict:
    # the box of a text has the room of accents and descenders, which no letter need use
    return box | {"y": box["y"] + 2.0, "bottom": box["bottom"] - 2.0}


@pytest.mark.parametrize(
    ("site", "overrides"),
    [
        ("university-room", ()),
        ("abilene", ()),
        ("west-texas-5gw", ()),
        ("dona-ana", ()),
        ("ashburn", ("site.name=<b>&amp; Straße 'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW' 場所 </svg>",)),
    ],
)
def test_no_label_overlaps_and_all_are_inside(site, overrides, tmp_path):
    _, diagram = one_line(str(SITES / site), asked=Asked(), overrides=overrides)
    found = _measured(one_line_svg(diagram), tmp_path)
    frame, texts = found["frame"], found["texts"]
    assert len(texts) > 15
    assert len(found["shapes"]) > 15
    for text in texts:
        where = f"{text['of']!r} of {site}"
        assert frame["x"] <= text["x"] < text["right"] <= frame["right"], where
        assert frame["y"] <= text["y"] < text["bottom"] <= frame["bottom"], where
    labels = [_inner(text) for text in texts if text["class"] != "g"]
    for place, label in enumerate(labels):
        for other in labels[place + 1 :]:
            assert not _meet(label, other), f"{label['of']!r} on {other['of']!r}"
        for shape in found["shapes"]:
            thick = shape | {"x": shape["x"] - 1, "right": shape["right"] + 1}
            thick |= {"y": shape["y"] - 1, "bottom": shape["bottom"] + 1}
            assert not _meet(label, thick), f"{label['of']!r} on a {shape['kind']}"
    assert any(diagram.title.split()[0] in text["of"] for text in texts)


def test_the_check_sees_an_overlap(tmp_path):
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60">'
        '<rect width="200" height="60"/><text x="5" y="20">first</text>'
        '<text x="10" y="22">second</text></svg>'
    )
    one, other = _measured(svg, tmp_path)["texts"]
    assert _meet(_inner(one), _inner(other))
