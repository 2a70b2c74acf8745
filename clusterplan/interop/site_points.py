"""Compared sites as GeoJSON (RFC 7946): one point a site with its results."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterplan.core.results.compare import SiteRow


def sites_geojson(sites: Sequence[SiteRow]) -> str:
    """A FeatureCollection; coordinates are longitude, latitude in WGS 84 degrees."""
    document = {"type": "FeatureCollection", "features": [_feature(site) for site in sites]}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _feature(site: SiteRow) -> dict[str, Any]:
    properties = {
        item.name: _plain(getattr(site, item.name))
        for item in dataclasses.fields(site)
        if item.name not in ("latitude", "longitude")
    }
    point = None
    if site.latitude is not None and site.longitude is not None:
        point = {"type": "Point", "coordinates": [site.longitude, site.latitude]}
    return {"type": "Feature", "id": site.id, "geometry": point, "properties": properties}


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
