"""Tables on their way to the program, as Parquet, and back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from .errors import BadInput

NOT_IN_PARQUET = (pa.types.is_duration, pa.types.is_interval, pa.types.is_union, pa.types.is_run_end_encoded)
"""Kinds of columns that Parquet has no type of its own for."""


def is_table(value: object) -> bool:
    """Whether a value is a table in memory: of pandas, polars, pyarrow, or any that Arrow can read. A single column is none."""
    if isinstance(value, pa.ChunkedArray) or hasattr(type(value), "dtype"):
        return False
    return isinstance(value, pa.Table) or hasattr(value, "__arrow_c_stream__") or hasattr(value, "collect_schema") or _is_pandas(value)


def _is_pandas(value: object) -> bool:
    return type(value).__module__.split(".")[0] == "pandas" and hasattr(value, "iloc")


def _columns(table: Any) -> Iterator[tuple[str, Any]]:
    """Names and columns; the index of a data frame is none of them."""
    if _is_pandas(table):
        yield from ((str(name), table.iloc[:, at]) for at, name in enumerate(table.columns))
        return
    if hasattr(table, "collect"):
        table = table.collect()
    arrow = table if isinstance(table, pa.Table) else table.to_arrow() if hasattr(table, "to_arrow") else pa.table(table)
    yield from zip(arrow.column_names, arrow.columns)


def to_arrow(table: object) -> pa.Table:
    """The table in Arrow.

    Raises BadInput for a column that Arrow cannot hold; Arrow's own words are left out, since they quote values.
    """
    names, columns = [], []
    try:
        own = list(_columns(table))
    except pa.ArrowException:
        raise BadInput(
            "unsupported-column",
            "A column is of a type that pyarrow does not have, such as Int128 of polars. Convert it to text or numbers, or leave it out.",
        ) from None
    for at, (name, column) in enumerate(own, start=1):
        try:
            columns.append(column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([_array(column)]))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise BadInput(
                "unsupported-column",
                f"Column `{name}` holds values of several kinds, or of one that Parquet does not have. Convert it to text or numbers, "
                "or leave it out.",
                {"column": at},
            ) from None
        names.append(name)
    return pa.Table.from_arrays(columns, names=names)


def _array(column: Any) -> Any:
    array = pa.array(column, from_pandas=True)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _private(path: Path) -> BinaryIO:
    """A new file that nobody else may read."""
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def write_parquet(path: Path, table: pa.Table) -> None:
    """Writes a table for the program.

    Raises BadInput for periods, intervals, durations and the like: Parquet would hold them as numbers that mean nothing, or not at all.
    """
    for at, field in enumerate(table.schema, start=1):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if isinstance(kind, pa.BaseExtensionType) or any(holds(kind) for holds in NOT_IN_PARQUET):
            raise BadInput(
                "unsupported-column",
                f"Column `{field.name}` holds {kind}, which is no text or number. Convert it to text, or leave it out.",
                {"column": at},
            )
    with _private(path) as file:
        pq.write_table(table, file)


def write_csv(path: Path, table: pa.Table) -> None:
    """Writes a table that the program reads as CSV alone, such as structural zeros."""
    plain = [column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column for column in table.columns]
    with _private(path) as file:
        pa.csv.write_csv(pa.Table.from_arrays(plain, names=table.column_names), file)


def write_json(path: Path, document: object, default: Callable[[Any], str]) -> None:
    """Writes settings."""
    with _private(path) as file:
        file.write(json.dumps(document, default=default).encode())


def ordered_categories(table: pa.Table) -> dict[str, list[str]]:
    """The categories of columns that have them in an order, those that no record has among them."""
    found: dict[str, list[str]] = {}
    for name, column in zip(table.column_names, table.columns):
        kind = column.type
        texts = pa.types.is_dictionary(kind) and kind.ordered and (
            pa.types.is_integer(kind.value_type) or pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type)
        )
        if texts and column.num_chunks:
            found[name] = [str(value) for value in column.unify_dictionaries().chunk(0).dictionary.to_pylist()]
    return found


def plain_types(table: pa.Table) -> dict[str, pa.DataType]:
    """The types of columns that hold numbers or booleans."""
    holds = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean)
    return {field.name: field.type for field in table.schema if any(kind(field.type) for kind in holds)}


def read_csv(path: Path, types: Mapping[str, pa.DataType]) -> pa.Table:
    """A dataset, its columns as text but for those with a type in the table; an empty cell is a missing value.

    Masked and banded columns are no longer what they were: what a file holds says whether they are numbers, booleans or text.
    """
    with path.open(encoding="utf-8", newline="") as file:
        header = pa.csv.read_csv(pa.py_buffer(file.readline().encode()), read_options=pa.csv.ReadOptions(autogenerate_column_names=True))
    names = [str(column[0].as_py()) for column in header.columns]
    options = pa.csv.ConvertOptions(
        column_types={name: pa.string() for name in names if name not in types}, null_values=[""], strings_can_be_null=True
    )
    table = pa.csv.read_csv(path, convert_options=options)
    for at, field in enumerate(table.schema):
        # Floating point without decimals is written as whole numbers are.
        if pa.types.is_integer(field.type) and pa.types.is_floating(types[field.name]):
            table = table.set_column(at, field.name, table.column(at).cast(pa.float64()))
    return table


def read_results(folder: Path) -> dict[str, pa.Table]:
    """Every table of results in a folder, by its name."""
    return {path.stem: pq.read_table(path) for path in sorted(folder.glob("*.parquet"))}
