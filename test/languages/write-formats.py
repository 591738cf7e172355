"""Writes one table in the formats of other programs: write-formats.py CSV FOLDER."""

import bz2
import gzip
import lzma
import sqlite3
import sys
import zipfile
from pathlib import Path

import pandas
import polars
import pyreadstat

csv, folder = Path(sys.argv[1]), Path(sys.argv[2])
folder.mkdir(parents=True)
table = pandas.read_csv(csv, dtype=str)

workbooks = folder / "workbooks"
workbooks.mkdir()
table.to_excel(workbooks / "openpyxl.xlsx", index=False, engine="openpyxl")
table.to_excel(workbooks / "xlsxwriter.xlsx", index=False, engine="xlsxwriter")
polars.from_pandas(table).write_excel(workbooks / "polars.xlsx")
for version in (114, 117, 118, 119):
    table.to_stata(folder / f"stata-{version}", write_index=False, version=version)
pyreadstat.write_sav(table, str(folder / "sav"))
pyreadstat.write_sav(table, str(folder / "zsav"), compress=True)
pyreadstat.write_por(table, str(folder / "por"))
pyreadstat.write_xport(table, str(folder / "xport-5"), file_format_version=5)
pyreadstat.write_xport(table, str(folder / "xport-8"), file_format_version=8)
table.to_feather(folder / "feather")
polars.from_pandas(table).write_ipc_stream(folder / "arrow-stream")
with sqlite3.connect(folder / "sqlite") as database:
    table.to_sql("t", database, index=False)
table.to_json(folder / "json", orient="records")
text = csv.read_bytes()
(folder / "bzip2").write_bytes(bz2.compress(text))
(folder / "xz").write_bytes(lzma.compress(text))
(folder / "gzip").write_bytes(gzip.compress(text))
with zipfile.ZipFile(folder / "zip", "w") as archive:
    archive.writestr("table.csv", text)
