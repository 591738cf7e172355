"""The package with the program: SYNTHRISK_PROGRAM names it."""

from __future__ import annotations

import datetime
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import synthrisk as sr
from synthrisk.program import call, in_python

QUICK = dict(
    chains=2, burn_in=5, draws=4, thin=1, paired_chains=2, paired_draws=4, paired_thin=1, classes=4, datasets=2,
    no_utility=True, jobs=1, progress=False,
)  # fmt: skip
ROWS = 90
COLUMNS = {
    "sex": ["f", "m", "f"] * 30,
    "Größe": ["klein", "groß", "ä, b", "klein", "klein"] * 18,
    "code": ["01", "1"] * 45,
    "whole": [1, 2, 3, 3, 3, 1, 2, 2, 2] * 10,
}
SECRET = "Kowalczyk"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary folders of a test, which the package leaves empty."""
    own = tmp_path / "temporary"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    monkeypatch.setenv("TMPDIR", str(own))
    yield tmp_path
    assert list(own.iterdir()) == []


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> sr.Result[sr.Summary]:
    return sr.evaluate(pd.DataFrame(COLUMNS), out=tmp_path_factory.mktemp("run") / "first", **QUICK)


def test_a_result_has_the_summary_the_tables_the_datasets_and_the_report(run: sr.Result[sr.Summary]) -> None:
    assert run.met
    assert run.summary == json.loads((run.out / "confidential/summary.json").read_text()) | {
        name: run.summary[name] for name in ("seconds", "peakMemoryMiB") if name in run.summary
    }
    assert {"attribute-risk", "variable-risk"} <= run.tables.keys()
    assert run.tables["variable-risk"].num_rows == 4 * run.tables["attribute-risk"].num_rows
    assert pl.from_arrow(run.tables["attribute-risk"])["code"].unique().sort().to_list() == ["01", "1"]
    assert [dataset.num_rows for dataset in run.datasets] == [ROWS, ROWS]
    assert run.datasets[0].schema.field("code").type == pa.string()
    assert run.datasets[0].schema.field("whole").type == pa.int64()
    assert set(run.datasets[0].column_names) == set(COLUMNS)


def test_the_typed_summary_has_fields_of_the_program(run: sr.Result[sr.Summary]) -> None:
    def check(kind: type, value: dict[str, object]) -> None:
        assert get_type_hints(kind).keys() <= value.keys(), kind

    check(sr.Summary, run.summary)
    check(sr.AttributeRisk, run.summary["attributeRisk"][0])
    check(sr.VariableRisk, run.summary["attributeRisk"][0]["variables"][0])
    check(sr.Headline, run.summary["headline"][0])


def test_a_notebook_shows_the_report_in_a_frame_of_its_own(run: sr.Result[sr.Summary]) -> None:
    shown = run._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts"') and shown.endswith('"></iframe>')
    assert shown.count("<") == 2 and shown.count('"') == 8


def test_every_kind_of_table_makes_the_same_release(run: sr.Result[sr.Summary], folder: Path) -> None:
    path = folder / "table.csv"
    pd.DataFrame(COLUMNS).to_csv(path, index=False)
    key = run.out / "confidential/release-key"
    for table in (pl.DataFrame(COLUMNS), pl.LazyFrame(COLUMNS), pa.table(COLUMNS), path):
        other = sr.evaluate(table, release_key=key, **QUICK)
        as_text = [dataset.cast(pa.schema([(name, pa.string()) for name in dataset.column_names])) for dataset in other.datasets]
        expected = [dataset.cast(pa.schema([(name, pa.string()) for name in dataset.column_names])) for dataset in run.datasets]
        assert as_text == expected, type(table)
        assert other.out is None


def test_categories_in_an_order_are_kept_with_those_that_nobody_has(folder: Path) -> None:
    kinds = ["klein", "groß", "ä, b", "nie"]
    frames = (
        pd.DataFrame(COLUMNS).astype({"Größe": pd.CategoricalDtype(kinds, ordered=True)}),
        pl.DataFrame(COLUMNS, schema_overrides={"Größe": pl.Enum(kinds)}),
    )
    for table in frames:
        found = sr.evaluate(table, **QUICK).tables["variable-risk"].to_pandas()
        assert set(found[found.variable == "Größe"].categories) == {4}
    found = sr.evaluate(frames[0].astype({"Größe": "category"}).assign(Größe=COLUMNS["Größe"]), **QUICK).tables["variable-risk"].to_pandas()
    assert set(found[found.variable == "Größe"].categories) == {3}


def test_settings_of_a_variable_keep_the_order_of_its_categories() -> None:
    table = pd.DataFrame(COLUMNS).astype({"Größe": pd.CategoricalDtype(["klein", "groß", "ä, b"], ordered=True)})
    whole = {"ordered": True, "categories": ["klein", "groß", "ä, b"]}
    found = [
        sr.utility(table, table.iloc[::-1], regression="Größe ~ whole", settings={"variables": {"Größe": own}}, progress=False)
        for own in ({}, {"ordered": True}, whole, {**whole, "categories": sorted(whole["categories"])})
    ]
    estimates = [one.summary["regressions"][0]["coefficients"][0]["original"]["estimate"] for one in found]
    assert estimates[0] == estimates[1] == estimates[2] != estimates[3]


def test_assess_utility_attack_compare_and_report(run: sr.Result[sr.Summary], folder: Path) -> None:
    table = pl.DataFrame(COLUMNS)
    assessed = sr.assess(table, run.datasets, out=folder / "assessed", **{k: v for k, v in QUICK.items() if k != "datasets"})
    assert assessed.summary["attributeRisk"][0]["records"] == ROWS
    assert sr.utility(table, run.datasets, progress=False).summary["records"] == ROWS
    attacked = sr.attack(table, run.datasets, keys=["sex", "code"], target="whole", attempts=10, progress=False)
    assert attacked.summary["controlRecords"] is None
    others = pl.DataFrame({"sex": ["m"] * 30, "Größe": ["groß"] * 30, "code": ["01"] * 30, "whole": [1, 2, 3] * 10})
    attacked = sr.attack(table, run.datasets, keys="sex", target="whole", control=others, attempts=10, progress=False)
    assert attacked.summary["controlRecords"] == 30
    second = sr.evaluate(table, out=folder / "second", **QUICK)
    assert second.out is not None and run.out is not None
    assert len(sr.compare([run.out, second.out], progress=False).summary["runs"]) == 2
    assert sr.report(run.out, progress=False).report.startswith("<!doctype html>")


def test_mask_gives_the_masked_table() -> None:
    table = pd.DataFrame({"a": [float(i * 7 % 90) for i in range(ROWS)], "b": [float(i * 11 % 90) for i in range(ROWS)]})
    masked = sr.mask(table, method="mdav", k=3, continuous=["a", "b"], progress=False)
    assert masked.summary["k"] == 3
    assert masked.datasets[0].num_rows == ROWS
    assert masked.datasets[0].to_pandas().value_counts().min() >= 3


def test_options_and_settings_hold_tables_and_rules() -> None:
    impossible = pd.DataFrame({"sex": ["m"], "code": ["01"]})
    possible = pd.DataFrame(COLUMNS).query("~(sex == 'm' and code == '01')")
    rules = ["attributeRisk.probabilityMean <= 0", "attributeRisk.probabilityMax <= 0"]
    # Two calls, of which the second has the zeros as an option.
    for given in ({"settings": {"synthesis": {"structuralZeros": impossible}}}, {"structural_zeros": impossible}):
        found = sr.evaluate(possible, accept=rules, **given, **QUICK)
        assert not found.met
        assert [(rule["rule"], rule["met"]) for rule in found.summary["acceptance"]] == [(rule, False) for rule in rules]
        made = pa.concat_tables(found.datasets).to_pandas()
        assert len(made.query("sex == 'm' and code == '01'")) == 0


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        ({"sex": [None, *COLUMNS["sex"][1:]]}, "missing-values", "1 in `sex`"),
        ({"day": [datetime.date(2020, 1, 1)] * ROWS}, "unsupported-column", "`day` holds dates"),
        ({"mixed": [1, SECRET, 2.0] * 30}, "unsupported-column", "`mixed` holds values of several kinds"),
        ({"span": pd.cut(range(ROWS), 3)}, "unsupported-column", "`span` holds"),
        ({"month": pd.period_range("2020-01", periods=ROWS, freq="M")}, "unsupported-column", "`month` holds"),
        ({"stay": pd.to_timedelta([1, 2, 3] * 30, unit="D")}, "unsupported-column", "`stay` holds duration"),
        ({"name": [SECRET + str(i) for i in range(ROWS)]}, None, None),
    ],
)
def test_what_cannot_be_read_is_refused_without_a_value(change: dict[str, object], code: str | None, says: str | None) -> None:
    table = pd.DataFrame(COLUMNS).assign(**change)
    if code is None:
        assert sr.evaluate(table, drop="name", **QUICK).met
        return
    with pytest.raises(sr.BadInput) as caught:
        sr.evaluate(table, **QUICK)
    assert caught.value.code == code
    assert says in str(caught.value)
    assert caught.value.place["column"] == table.columns.get_loc(next(iter(change))) + 1
    assert SECRET not in str(caught.value) and tempfile.gettempdir() not in str(caught.value)


def test_lists_are_of_any_kind_and_names_may_hold_commas() -> None:
    table = pd.DataFrame(COLUMNS).rename(columns={"sex": "sex, as \"told\""})
    names = list(table.columns[:2])
    for synthesized in (names, tuple(names), table.columns[:2], table.columns[:2].to_numpy(), iter(names)):
        found = sr.evaluate(table, synthesized=synthesized, **{**QUICK, "no_utility": np.bool_(True)})
        assert found.summary["synthesis"]["synthesized"] == names, type(synthesized)
        assert found.summary["utility"] is None
    settings = {"seed": np.int64(3), "synthesis": {"synthesized": table.columns[:2]}}
    assert sr.evaluate(table, settings=settings, **QUICK).summary["seed"] == 3


def test_several_priors_are_files_and_no_words_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = [pd.DataFrame({name: sorted({*COLUMNS[name]}), "weight": 731.5}) for name in ("sex", "code")]
    called: list[list[str]] = []
    monkeypatch.setattr("synthrisk.calls.call", lambda words, *rest, **named: called.append(words) or call(words, *rest, **named))
    found = sr.evaluate(pd.DataFrame(COLUMNS), unknown=["sex", "code"], prior=weights, **QUICK)
    assert found.summary["attributeRisk"][0]["prior"] == "file"
    assert "731.5" not in "".join(called[0])


def test_what_is_no_table_and_what_are_no_settings_are_bad_input(folder: Path) -> None:
    table = pd.DataFrame(COLUMNS)
    column = pl.from_pandas(table)["sex"]
    for value in (COLUMNS, table["sex"], column, column.to_arrow(), table.to_numpy(), pa.chunked_array([[1, 2]]), 3):
        for given in ((value, table), (table, [value]) if not isinstance(value, dict) else (table, [table, value])):
            with pytest.raises(sr.BadInput, match="Give a table of pandas") as caught:
                sr.utility(*given, progress=False)
            assert caught.value.code == "unsupported-table"
    with pytest.raises(sr.BadInput, match="is what a config file holds"):
        sr.evaluate(table, settings="run.yaml")
    with pytest.raises(sr.BadInput) as caught:
        sr.utility(table, [], progress=False)
    assert caught.value.code == "no-datasets"
    with pytest.raises(sr.BadInput) as caught:
        sr.compare(str(folder / "run"), progress=False)
    assert caught.value.place == {"file": str(folder / "run")}


def test_settings_and_options_are_refused_by_the_program() -> None:
    table = pa.table(COLUMNS)
    for given, code in (
        ({"settings": {"mcmc": {"chains": "many"}}, "progress": False}, "invalid-config"),
        ({"chainz": 3, "progress": False}, "unknown-option"),
        ({"config": "run.yaml"}, "no-config"),
        ({"resume": True}, "no-out"),
    ):
        with pytest.raises(sr.BadInput) as caught:
            sr.evaluate(table, **given)
        assert caught.value.code == code


def test_a_program_that_is_not_there_or_answers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for given in ({"program": "/nowhere/synthrisk"}, {"program": "/nowhere/synthrisk.mjs"}):
        with pytest.raises(sr.BadInput, match="Install Node") as caught:
            sr.evaluate(pa.table(COLUMNS), **given)
        assert caught.value.code == "no-program"
    monkeypatch.delenv("SYNTHRISK_PROGRAM")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(sr.BadInput, match="was not found"):
        sr.evaluate(pa.table(COLUMNS))
    with pytest.raises(sr.Failed, match="no answer"):
        sr.evaluate(pa.table(COLUMNS), program=sys.executable, progress=False)


def test_progress_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    sr.evaluate(pa.table(COLUMNS), **{**QUICK, "progress": True})
    written = capsys.readouterr()
    assert written.out == "" and "Fit the base chains" in written.err


def test_an_interrupted_run_goes_on_and_its_files_are_private(folder: Path) -> None:
    script = folder / "call.py"
    script.write_text(
        "import sys, pyarrow as pa, synthrisk as sr\n"
        f"table = pa.table({COLUMNS!r})\n"
        "try:\n"
        "    found = sr.evaluate(table, out='run', chains=2, paired_chains=2, burn_in=200000, classes=40,\n"
        "                        no_utility=True, jobs=1, resume='--resume' in sys.argv)\n"
        "except sr.Interrupted as error:\n"
        "    print(error.code, error)\n",
        encoding="utf-8",
    )
    process = subprocess.Popen([sys.executable, script], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert "Fit the base chains" in process.stderr.readline()
    (own,) = Path(tempfile.gettempdir()).glob("synthrisk-*/table.parquet")
    assert stat.S_IMODE(own.stat().st_mode) == 0o600 and stat.S_IMODE(own.parent.stat().st_mode) == 0o700
    began = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted Interrupted. The same call with resume=True goes on.\n"
    assert time.monotonic() - began < 30
    assert (folder / "run/plan.json").exists() and not (folder / "run/confidential/summary.json").exists()


def test_the_example_notebook_runs() -> None:
    notebook = json.loads((Path(__file__).parent / "../examples/first-evaluation.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] for cell in notebook["cells"] if cell["cell_type"] == "code")
    names: dict[str, object] = {}
    for cell in cells:
        exec(compile(cell, "cell", "exec"), names)
    assert "right guesses" in cells[1] and names["result"]._repr_html_().startswith("<iframe")


def test_a_refusal_names_arguments(folder: Path) -> None:
    table = pd.DataFrame(COLUMNS)
    with pytest.raises(sr.BadInput, match=r"^sampling_fraction does not take '2'"):
        sr.attack(table, table, keys="sex", target="code", sampling_fraction=2, progress=False)
    with pytest.raises(sr.BadInput, match=r"no option kk \(did you mean k\?\)"):
        sr.mask(table, method="mdav", kk=3, progress=False)
    with pytest.raises(sr.BadInput, match=r"--missing category.*\nIn Python, --missing is missing=\.$"):
        sr.attack(table.assign(code=[None, *COLUMNS["code"][1:]]), table, keys="sex", target="code", progress=False)
    assert in_python("Use `synthrisk plan TABLE --describe`.\nsynthrisk mask --help shows it.") == (
        "Use `synthrisk plan TABLE --describe`.\nsynthrisk mask --help shows it."
    )


def test_floating_point_and_booleans_come_back_as_what_they_were() -> None:
    table = pd.DataFrame({"v": np.arange(100) / 4, "half": [0.0, 1.0] * 50, "yes": [True, False] * 50, "whole": [1, 2] * 50})
    schema = sr.mask(table, method="mdav", k=2, progress=False).datasets[0].schema
    assert schema.types == [pa.float64(), pa.float64(), pa.bool_(), pa.int64()]


def test_a_type_that_pyarrow_does_not_have_is_refused() -> None:
    table = pl.DataFrame(COLUMNS, schema_overrides={"whole": pl.Int128})
    with pytest.raises(sr.BadInput, match="pyarrow does not have") as refused:
        sr.attack(table, table, keys="sex", target="code", progress=False)
    assert refused.value.code == "unsupported-column"
