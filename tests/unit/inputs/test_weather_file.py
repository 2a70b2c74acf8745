"""Hourly weather files: three forms, gaps, leap years, and every way in which one is wrong."""

from __future__ import annotations

import pytest

from clusterplan.core.errors import InputError, Problem
from clusterplan.inputs.weather_file import read_weather


def _read(tmp_path, text, name="year.epw"):
    path = tmp_path / name
    if isinstance(text, bytes):
        path.write_bytes(text)
    else:
        path.write_text(text, encoding="utf-8")
    return read_weather(path)


def _problems(tmp_path, text, name="year.epw"):
    with pytest.raises(InputError) as caught:
        _read(tmp_path, text, name)
    return caught.value.problems


def _changed(text, line, field, value):
    """The text with one field of one line (counted from 1) replaced."""
    lines = text.splitlines()
    row = lines[line - 1].split(",")
    row[field] = value
    lines[line - 1] = ",".join(row)
    return "\n".join(lines) + "\n"


def _without(text, *numbers):
    return "".join(
        line + "\n" for n, line in enumerate(text.splitlines(), start=1) if n not in numbers
    )


def test_epw(tmp_path, epw_text, synthetic_year):
    year, made = _read(tmp_path, epw_text), synthetic_year()
    assert (year.kind, year.station) == ("EPW", "Testfield")
    assert (year.latitude_deg, year.longitude_deg, year.elevation_m) == (32.47, -99.71, 530.0)
    assert year.dry_bulb_c == tuple(made.dry)
    assert year.dew_point_c == tuple(made.dew)
    assert year.pressure_kpa == pytest.approx([p / 1000 for p in made.pressure])
    assert (year.labels[0], year.labels[-1]) == ("Jan 1 00:00", "Dec 31 23:00")
    assert year.labels[(31 + 28) * 24] == "Mar 1 00:00"
    assert year.lines[0] == 9
    assert year.filled == ()
    assert year.design is None


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark(tmp_path, epw_text, ending, mark):
    data = (mark + epw_text.replace("\n", ending)).encode()
    assert len(_read(tmp_path, data).dry_bulb_c) == 8760


def test_three_forms_are_one_year(tmp_path, synthetic_year):
    made = synthetic_year()
    epw = _read(tmp_path, made.epw())
    tmy3 = _read(tmp_path, made.tmy3(), "722660TY.csv")
    notes = "# station: Testfield\n# latitude: 32.47\n# longitude: -99.71\n# elevation: 530 m\n"
    plain = _read(tmp_path, made.csv(notes=notes), "plain.csv")
    assert [tmy3.kind, plain.kind] == ["TMY3", "CSV"]
    for other in (tmy3, plain):
        assert other.dry_bulb_c == epw.dry_bulb_c
        assert other.dew_point_c == epw.dew_point_c
        assert other.pressure_kpa == pytest.approx(epw.pressure_kpa, abs=0.0051)
        assert other.elevation_m == 530.0
        assert other.labels == epw.labels


def test_declared_units_are_converted(tmp_path, synthetic_year):
    """dry bulb in degF, humidity as a declared fraction, pressure in hPa."""
    made = synthetic_year()
    rows = "".join(
        f"{t * 1.8 + 32:.3f};{h / 100:.3f};{p / 100:.2f}\n"
        for t, h, p in zip(made.dry, made.humidity, made.pressure, strict=True)
    )
    text = "dry_bulb_f;relative_humidity_fraction;pressure_hpa\n" + rows
    year = _read(tmp_path, text, "us.csv")
    assert year.dry_bulb_c == pytest.approx(made.dry, abs=0.001)
    assert year.relative_humidity_percent == pytest.approx(made.humidity)
    assert year.pressure_kpa == pytest.approx([p / 1000 for p in made.pressure], abs=0.001)
    assert year.dew_point_c is None
    assert year.elevation_m is None


@pytest.mark.parametrize("columns", ["time", "month,day,hour"])
def test_plain_csv_with_dates(tmp_path, synthetic_year, columns):
    made = synthetic_year(leap=True)
    lines = [f"{columns},dry_bulb_c,dew_point_c\n"]
    for row in made.rows():
        year, month, day, hour = row[:4]
        stamp = f"{year}-{month:0>2}-{day:0>2} {int(hour) - 1:02d}:00"
        lines.append(
            f"{stamp if columns == 'time' else f'{month},{day},{hour}'},{row[6]},{row[7]}\n"
        )
    year = _read(tmp_path, "".join(lines), "dated.csv")
    assert len(year.dry_bulb_c) == 8784
    assert year.labels[(31 + 28) * 24] == "Feb 29 00:00"
    short = "".join(lines[:1420] + lines[1423:])  # the hours from Feb 29 03:00
    (problem,) = _problems(tmp_path, short, "dated.csv")
    assert "3 hours are missing: Feb 29 03:00, Feb 29 04:00, Feb 29 05:00" in problem.message
    assert problem.line == 1421


def test_leap_year(tmp_path, synthetic_year):
    text = synthetic_year(leap=True).epw()
    year = _read(tmp_path, text)
    assert len(year.dry_bulb_c) == 8784
    assert year.labels[(31 + 28) * 24] == "Feb 29 00:00"
    assert year.labels[-1] == "Dec 31 23:00"
    # 29 February cut in half: 12 hours are missing
    first = 9 + (31 + 28) * 24 + 12
    (problem,) = _problems(tmp_path, _without(text, *range(first, first + 12)))
    assert problem.line == first
    assert "12 hours are missing: Feb 29 12:00 to Feb 29 23:00" in problem.message


def test_short_gaps_are_filled_and_named(tmp_path, epw_text, synthetic_year):
    made = synthetic_year()
    text = epw_text
    for line in (109, 110, 111):  # hours 100 to 102, Jan 5 04:00
        text = _changed(text, line, 6, "99.9")
    text = _changed(text, 9, 9, "999999")
    year = _read(tmp_path, text)
    low, high = made.dry[99], made.dry[103]
    expected = [low + (high - low) * part / 4 for part in (1, 2, 3)]
    assert year.dry_bulb_c[100:103] == pytest.approx(expected)
    assert year.filled == (
        "dry bulb: 3 hours (Jan 5 04:00 to Jan 5 06:00)",
        "pressure: 1 hour (Jan 1 00:00)",
    )
    # across the turn of the year: between the last hour and the second
    expected = (made.pressure[-1] + made.pressure[1]) / 2000
    assert year.pressure_kpa[0] == pytest.approx(expected)


def test_a_missing_dew_point_with_a_humidity_is_no_gap(tmp_path, epw_text):
    text = epw_text
    for line in range(109, 149):
        text = _changed(text, line, 7, "99.9")
    year = _read(tmp_path, text)
    assert year.filled == ()
    assert year.dew_point_c[100] is None
    assert year.relative_humidity_percent[100] is not None


def test_long_gap_names_its_hours(tmp_path, epw_text):
    text = epw_text
    for line in range(109, 116):
        text = _changed(text, line, 6, "99.9")
    (problem,) = _problems(tmp_path, text)
    assert problem.line == 109
    assert "missing in 7 hours (Jan 5 04:00 to Jan 5 10:00)" in problem.message


def test_pressure_missing_all_year_is_unknown(tmp_path, epw_text):
    lines = epw_text.splitlines()
    rows = [line.split(",") for line in lines[8:]]
    text = "\n".join(lines[:8]) + "\n"
    text += "".join(",".join([*row[:9], "999999", *row[10:]]) + "\n" for row in rows)
    assert _read(tmp_path, text).pressure_kpa is None


DESIGN = (
    "DESIGN CONDITIONS,1,Climate Design Data 2009 ASHRAE Handbook,,Heating,12,-6.4,-3.9,-14,1,2,"
    "-11,1,2,12,5,11,6,4,20,Cooling,7,12,37.4,21.5,36,21.6,35,21.7,24.2,31,23.6,31,23,30,5,180,22,18,"
    "26,21,17,26,20.6,16,25,75,31,72,31,70,31,900,Extremes,12,11,10,27,-11,40,3,1.7,-13,41,-15,42,"
    "-17,42.9,-19,44"
)


def test_design_conditions_of_the_header(tmp_path, epw_text):
    """Places in the ASHRAE line of an EPW: heating 99.6 %, cooling 0.4 %, evaporation, 20 years."""
    year = _read(tmp_path, epw_text.replace("DESIGN CONDITIONS,0", DESIGN))
    assert year.design is not None
    assert year.design[1:] == (37.4, 21.5, 24.2, 42.9, -6.4)
    # a line of another form is no design, not a wrong one
    cut = epw_text.replace("DESIGN CONDITIONS,0", DESIGN[:200])
    assert _read(tmp_path, cut).design is None


def _swap(text, first, second):
    lines = text.splitlines()
    for index in range(8, len(lines)):
        row = lines[index].split(",")
        row[first], row[second] = row[second], row[first]
        lines[index] = ",".join(row)
    return "\n".join(lines) + "\n"


def _each(text, field, change):
    lines = text.splitlines()
    for index in range(8, len(lines)):
        row = lines[index].split(",")
        row[field] = change(row[field])
        lines[index] = ",".join(row)
    return "\n".join(lines) + "\n"


def _cp1252(text):
    return text.replace("Testfield", "São Paulo").encode("cp1252")


BAD = {
    "8,759 rows, the last cut": (lambda t: _without(t, 8768), 8767, "is missing: Dec 31 23:00"),
    "8,759 rows, one in March": (lambda t: _without(t, 1500), 1500, "is missing: Mar 4 03:00"),
    "an hour twice": (
        lambda t: t.replace(t.splitlines()[99], t.splitlines()[98]),
        100,
        "repeated or out of order",
    ),
    "dry bulb and dew point swapped": (lambda t: _swap(t, 6, 7), 9, "above the dry bulb"),
    "dry bulb and pressure swapped": (lambda t: _swap(t, 6, 9), 9, "dry bulb of 95200 degC cannot"),
    "humidity as a fraction": (
        lambda t: _each(t, 8, lambda x: f"{float(x) / 100:.2f}"),
        9,
        "a fraction",
    ),
    "pressure in hPa": (lambda t: _each(t, 9, lambda x: f"{float(x) / 100:.1f}"), 9, "952 Pa"),
    "pressure in kPa": (lambda t: _each(t, 9, lambda x: f"{float(x) / 1000:.2f}"), 9, "kilopascal"),
    "Fahrenheit": (
        lambda t: _each(t, 6, lambda x: f"{float(x) * 1.8 + 32:.1f}"),
        None,
        "Fahrenheit",
    ),
    "UTF-16": (lambda t: t.encode("utf-16"), 1, "UTF-16"),
    "cp1252": (_cp1252, 1, "not UTF-8 text on this line"),
    "cp1252 further down": (
        lambda t: t.replace("made for a test", "für").encode("cp1252"),
        6,
        "not UTF-8 text on this line",
    ),
    "decimal comma": (lambda t: _changed(t, 700, 6, "12,3"), 700, "a decimal comma?"),
    "decimal comma in quotes": (lambda t: _changed(t, 700, 6, "12;3"), 700, "is not a number"),
    "NaN": (lambda t: _changed(t, 4000, 7, "NaN"), 4000, '"NaN" is not a number'),
    "infinite": (lambda t: _changed(t, 4000, 6, "inf"), 4000, '"inf" is not a number'),
    "negative humidity": (lambda t: _changed(t, 5000, 8, "-4"), 5000, "humidity of -4 % cannot be"),
    "empty": (lambda t: "", 1, "is empty"),
    "blank": (lambda t: " \n\n", 1, "is empty"),
    "header alone": (lambda t: "\n".join(t.splitlines()[:8]), 8, "no hours after its header"),
    "no header": (lambda t: "\n".join(t.splitlines()[8:]), 1, "needs the columns dry_bulb_c"),
    "half-hourly": (lambda t: t.replace("PERIODS,1,1", "PERIODS,1,2"), 8, "2 records an hour"),
    "month 13": (lambda t: _changed(t, 30, 1, "13"), 30, "no hour of a year"),
    "no elevation": (lambda t: t.replace("-6.0,530.0", "-6.0"), 1, "LOCATION needs latitude"),
    "latitude 132": (lambda t: t.replace(",32.47,", ",132.47,"), 1, "latitude 132.47"),
    "cut line": (lambda t: t[: t.rindex("?9")], 8768, "has 5 fields"),
    "binary": (lambda t: b"LOCATION\0\0\0" + t.encode(), None, "binary"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_files_name_file_and_line(tmp_path, epw_text, name):
    change, line, words = BAD[name]
    problems = _problems(tmp_path, change(epw_text))
    text = "; ".join(str(problem) for problem in problems)
    assert words in text
    assert all((problem.file or "").endswith("year.epw") for problem in problems)
    if line is not None:
        assert problems[0].line == line, text


def test_a_folder_and_no_file(tmp_path):
    for path, words in ((tmp_path, "is a folder"), (tmp_path / "none.epw", "no such file")):
        with pytest.raises(InputError, match=words) as caught:
            read_weather(path, Problem("", file="site.yaml", line=8, path="site.climate.weather"))
        assert str(caught.value).startswith("site.yaml:8: site.climate.weather:")


PLAIN = {
    "unknown columns": ("temperature,rh\n", 1, "needs the columns dry_bulb_c"),
    "no humidity": ("dry_bulb_c,pressure_kpa\n", 1, "relative_humidity_percent"),
    "notes alone": ("# station: x\n", 1, "no header line"),
    "decimal comma": ("dry_bulb_c;dew_point_c\n12,3;4,1\n", 2, '"12,3" has a decimal comma'),
    "decimal comma among commas": ("dry_bulb_c,dew_point_c\n12,3,4,1\n", 2, "a decimal comma?"),
    "ragged": ("dry_bulb_c,dew_point_c\n12\n", 2, "has 1 fields; the header has 2"),
    "bad elevation": ("# elevation: 1,700 ft\n", 1, "elevation"),
    "time in words": ("time,dry_bulb_c,dew_point_c\nJan 1,1,0\n", 2, "is not a full hour"),
    "half hours": ("time,dry_bulb_c,dew_point_c\n2019-01-01 00:30,1,0\n", 2, "not a full hour"),
    "31 February": ("month,day,hour,dry_bulb_c,dew_point_c\n2,31,0,1,0\n", 2, "no hour of a year"),
    "one row": ("dry_bulb_c,dew_point_c\n1,0\n", 2, "has 1 hours; a year has 8,760"),
    "no humidity in any hour": ("dry_bulb_c,dew_point_c\n" + "1,\n" * 8760, 2, "no hour has a"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_bad_plain_csv(tmp_path, name):
    text, line, words = PLAIN[name]
    problems = _problems(tmp_path, text, "year.csv")
    assert words in "; ".join(str(problem) for problem in problems)
    assert problems[0].line == line


def test_tmy3_missing_codes_and_columns(tmp_path, synthetic_year):
    text = synthetic_year().tmy3()
    lines = text.splitlines()
    row = lines[50].split(",")
    lines[50] = ",".join([*row[:3], "-9900", *row[4:]])
    year = _read(tmp_path, "\n".join(lines), "t.csv")
    assert year.filled == ("dry bulb: 1 hour (Jan 3 00:00)",)
    without = text.replace("Time (HH:MM)", "Clock")
    (problem,) = _problems(tmp_path, without, "t.csv")
    assert (problem.line, "time (hh:mm)" in problem.message) == (2, True)
