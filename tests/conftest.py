"""Synthetic hourly years, written as EPW, TMY3 CSV and plain CSV: no weather file is shipped."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

import pytest

HEADER = """\
LOCATION,Testfield,TX,USA,synthetic,999999,32.47,-99.71,-6.0,530.0
DESIGN CONDITIONS,0
TYPICAL/EXTREME PERIODS,0
GROUND TEMPERATURES,0
HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0
COMMENTS 1,made for a test
COMMENTS 2,
DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31
"""
TMY3_HEADER = (
    '999999,"TESTFIELD",TX,-6.0,32.47,-99.71,530\n'
    "Date (MM/DD/YYYY),Time (HH:MM),GHI (W/m^2),Dry-bulb (C),Dew-point (C),RHum (%),"
    "Pressure (mbar)\n"
)


class SyntheticYear:
    """Hours with a season, a day and passing weather; about the climate of Abilene TX."""

    def __init__(self, mean_c=17.0, season_k=11.0, pressure_pa=95200.0, leap=False):
        self.start = datetime(2020 if leap else 2019, 1, 1)
        self.count = 8784 if leap else 8760
        self.dry, self.dew, self.pressure = [], [], []
        for hour in range(self.count):
            year = 2 * math.pi * hour / self.count
            dry = mean_c - season_k * math.cos(year) - 6 * math.cos(2 * math.pi * (hour - 4) / 24)
            dry += 4 * math.sin(7.3 * year) + 3 * math.sin(31.7 * year)
            dew = min(mean_c - 9 - 8 * math.cos(year) + 5 * math.sin(11.1 * year), dry - 0.5)
            self.dry.append(round(dry, 1))
            self.dew.append(round(dew, 1))
            self.pressure.append(round(pressure_pa + 600 * math.sin(19 * year)))

    @property
    def humidity(self):
        """Relative humidity in whole percent, by Magnus."""
        return [
            round(100 * math.exp(17.62 * d / (243.12 + d) - 17.62 * t / (243.12 + t)))
            for t, d in zip(self.dry, self.dew, strict=True)
        ]

    def rows(self):
        """EPW fields of each hour."""
        for hour in range(self.count):
            moment = self.start + timedelta(hours=hour)
            yield [
                str(moment.year),
                str(moment.month),
                str(moment.day),
                str(moment.hour + 1),
                "60",
                "?9",
                f"{self.dry[hour]:.1f}",
                f"{self.dew[hour]:.1f}",
                str(self.humidity_at(hour)),
                f"{self.pressure[hour]:.0f}",
                *["0"] * 25,
            ]

    def humidity_at(self, hour):
        """Relative humidity of one hour."""
        if not hasattr(self, "_humidity"):
            self._humidity = self.humidity
        return self._humidity[hour]

    def epw(self):
        """The year as an EPW file."""
        return HEADER + "".join(",".join(row) + "\n" for row in self.rows())

    def tmy3(self):
        """The year as a TMY3 CSV file."""
        lines = []
        for hour, row in enumerate(self.rows()):
            moment = self.start + timedelta(hours=hour)
            lines.append(
                f"{moment:%m/%d/%Y},{moment.hour + 1:02d}:00,0,{row[6]},{row[7]},{row[8]},"
                f"{float(row[9]) / 100:.1f}\n"
            )
        return TMY3_HEADER + "".join(lines)

    def csv(self, header="dry_bulb_c,dew_point_c,pressure_pa", notes=""):
        """The year as a plain CSV of three columns of EPW."""
        places = {"dry": 6, "dew": 7, "rel": 8, "pre": 9}
        wanted = [places[name.strip()[:3]] for name in header.split(",")]
        body = "".join(",".join(row[i] for i in wanted) + "\n" for row in self.rows())
        return notes + header + "\n" + body


@pytest.fixture(scope="session")
def synthetic_year():
    """The class of synthetic years."""
    return SyntheticYear


@pytest.fixture(scope="session")
def epw_text():
    """One synthetic year as an EPW file."""
    return SyntheticYear().epw()


@pytest.fixture
def epw(tmp_path, epw_text):
    """That year as a file."""
    path = tmp_path / "year.epw"
    path.write_text(epw_text)
    return path
