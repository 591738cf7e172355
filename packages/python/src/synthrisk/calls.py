"""The commands as functions."""

from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Optional, TypeVar

import pyarrow as pa

from .errors import BadInput, Interrupted, SynthriskError
from .program import call, find_program
from .summary import Summary
from .tables import is_table, ordered_categories, plain_types, read_csv, read_results, to_arrow, write_csv, write_json, write_parquet

S = TypeVar("S")

Document = dict[str, Any]
"""The JSON document of a command: docs/reference/fields.md has its fields."""

REPEATED = {"accept", "acceptance_region", "marginals", "patterns", "regression"}
"""Options that are given once for each element of a list; of others, a list is joined by commas."""


READING = {"type", "categories", "breaks", "drop"}
"""Settings of a variable that say how it is read, so that its own categories do not."""


@dataclass(frozen=True)
class Result(Generic[S]):
    """What a command found. All of it is confidential but `datasets`, once their release is approved."""

    summary: S
    """The document that the command prints."""
    met: bool
    """Whether all acceptance rules are met, and every figure can be trusted (exit code 4 when not)."""
    tables: dict[str, pa.Table] = field(repr=False)
    """Tables of results by the names of their files, such as ``attribute-risk``."""
    datasets: list[pa.Table] = field(repr=False)
    """Synthetic or masked datasets, in their order."""
    report: Optional[str] = field(repr=False)
    """The report, a page in HTML."""
    out: Optional[Path]
    """Folder of the run, if one was asked for."""

    def _repr_html_(self) -> Optional[str]:
        """The report in a notebook, in a frame that reaches nothing of the notebook."""
        if self.report is None:
            return None
        page = html.escape(self.report, quote=True)
        return f'<iframe sandbox="allow-scripts" title="report" style="width:100%;height:40em;border:0" srcdoc="{page}"></iframe>'


class _Call:
    """Words of one call, with its private files in a folder that goes with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = 0

    def table(self, name: str, value: Any) -> str:
        """The path of a table, which is written here unless it is a path."""
        if not is_table(value):
            return _path(value)
        path = self.folder / f"{name}.parquet"
        write_parquet(path, to_arrow(value))
        return str(path)

    def file(self, value: Any) -> str:
        """The path of what settings name: structural zeros, or weights of a prior."""
        if not is_table(value):
            return _path(value)
        self.files += 1
        path = self.folder / f"file-{self.files}.csv"
        write_csv(path, to_arrow(value))
        return str(path)

    def words(self, options: Mapping[str, Any]) -> list[str]:
        """Options as the program takes them; what it does not know, it refuses itself."""
        words: list[str] = []
        for name, given in options.items():
            value = given.item() if getattr(given, "ndim", None) == 0 else given  # of numpy
            if value is None or value is False:
                continue
            flag = "--" + name.replace("_", "-")
            if value is True:
                words.append(flag)
                continue
            if name == "control":
                values = [self.table(name, value)]
            elif is_table(value):
                values = [self.file(value)]
            elif isinstance(value, Mapping):
                values = [f"{key}={self.joined(one)}" for key, one in value.items()]
            elif name in REPEATED and not isinstance(value, str):
                values = [self.joined(one) for one in value]
            else:
                values = [self.joined(value)]
            words += [f"{flag}={one}" for one in values]
        return words

    def joined(self, value: Any) -> str:
        """A value as one word, a list between commas as in CSV."""
        return self.word(value) if is_table(value) or not _is_list(value) else ",".join(_quoted(self.word(one)) for one in value)

    def word(self, value: Any) -> str:
        """A value as a word: a table, or a path, as the name of its file."""
        return self.file(value) if is_table(value) or isinstance(value, os.PathLike) else str(value)

    def plain(self, value: Any) -> Any:
        """What JSON does not know: numbers and lists of numpy, a table or a path."""
        return value.tolist() if hasattr(value, "tolist") else self.file(value)

    def config(self, settings: Mapping[str, Any], table: Optional[pa.Table]) -> list[str]:
        """A file of the settings and of the categories that the table has in an order, unless there is neither."""
        variables = dict(settings.get("variables", {}))
        for name, categories in ({} if table is None else ordered_categories(table)).items():
            own = variables.get(name, {})
            if READING.isdisjoint(own):
                variables[name] = {"categories": categories, "ordered": True, **own}
        whole = {**settings, "variables": variables} if variables else settings
        if not whole:
            return []
        path = self.folder / "settings.json"
        write_json(path, whole, self.plain)
        return ["--config", str(path)]


def _bare(value: Any, folder: Path) -> Any:
    return value.replace(f"{folder}{os.sep}", "") if isinstance(value, str) else value


def _is_list(value: Any) -> bool:
    # A set has no order, and that of variables may matter.
    return isinstance(value, Iterable) and not isinstance(value, (str, os.PathLike, Set))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"' if "," in word or '"' in word or word != word.strip() else word


def _path(value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return str(Path(value).absolute())
    raise BadInput(
        "unsupported-table",
        f"A value of type {type(value).__name__} is no table. Give a table of pandas, polars or pyarrow, or the path of a file.",
    )


def _carry_out(
    command: str,
    table: Any = None,
    *,
    positional: Sequence[str] = (),
    synthetic: Any = None,
    settings: Optional[Mapping[str, Any]] = None,
    out: Optional[str | os.PathLike[str]] = None,
    has_folder: bool = True,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    options: Mapping[str, Any],
) -> Result[Any]:
    if not isinstance(settings, (Mapping, type(None))):
        raise BadInput("invalid-config", "settings={...} is what a config file holds; yaml.safe_load() reads a file.")
    if "config" in options:
        raise BadInput("no-config", "A config file is not taken here. Give what it holds as settings={...}; yaml.safe_load() reads it.")
    if options.get("resume") and out is None:
        raise BadInput("no-out", "resume=True needs the folder of the run that stopped: out=FOLDER.")
    words = find_program(program)
    with tempfile.TemporaryDirectory(prefix="synthrisk-") as temporary:
        own = _Call(Path(temporary))
        arrow = to_arrow(table) if is_table(table) else None
        words += [command, *positional]
        if table is not None:
            words.append(own.table("table", table if arrow is None else arrow))
        words += own.config(settings or {}, arrow)
        words += own.words(options)
        datasets = [] if synthetic is None else list(synthetic) if _is_list(synthetic) and not is_table(synthetic) else [synthetic]
        if datasets:
            words += ["--synthetic", *(own.table(f"synthetic-{at}", one) for at, one in enumerate(datasets, start=1))]
        folder = Path(out).absolute() if out is not None else own.folder / "run"
        if has_folder:
            words += ["--out", str(folder)]
        try:
            answer, code = call([*words, "--json"], own.folder / "answer.json", progress=progress)
        except Interrupted as error:
            goes_on = "The same call with resume=True goes on." if out is not None else "Nothing is kept without an `out` folder."
            resumable = command in ("evaluate", "assess")
            raise Interrupted(error.code, f"Interrupted. {goes_on}" if resumable else "Interrupted.") from None
        except SynthriskError as error:
            # Tables in memory have no folder that means something to the caller.
            place = {key: _bare(value, own.folder) for key, value in error.place.items()}
            raise type(error)(error.code, _bare(str(error), own.folder), place) from None
        types = {} if arrow is None else plain_types(arrow)
        if not has_folder:
            folder = Path(positional[0])
        pages = [path for path in sorted(folder.glob("confidential/*.html")) if path.name != "public.html"] or sorted(folder.glob("*.html"))
        return Result(
            summary=answer,
            met=code == 0,
            tables={**read_results(folder), **read_results(folder / "confidential")},
            datasets=[read_csv(path, types) for path in sorted(folder.glob("release/*.csv"), key=lambda p: (len(p.name), p.name))],
            report=pages[0].read_text(encoding="utf-8") if pages else None,
            out=None if out is None and has_folder else folder,
        )


def evaluate(
    table: Any,
    *,
    settings: Optional[Mapping[str, Any]] = None,
    out: Optional[str | os.PathLike[str]] = None,
    resume: bool = False,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    **options: Any,
) -> Result[Summary]:
    """Fits, synthesizes, and measures what an intruder could learn about every record.

    `table` is a table of pandas, polars or pyarrow, or the path of a file. `settings` is what a config file holds; a table or a
    path (`pathlib.Path`) may stand where it names a file. Without `out`, the folder of the run is removed once the result is read.
    `program` is the path of the program, by default that in SYNTHRISK_PROGRAM, or `synthrisk` on the path.

    Raises BadInput, Failed, or Interrupted after Ctrl-C: the same call with ``resume=True`` goes on.
    """
    return _carry_out(
        "evaluate", table, settings=settings, out=out, program=program, progress=progress, options={"resume": resume, **options}
    )


def assess(
    table: Any,
    synthetic: Any = None,
    *,
    settings: Optional[Mapping[str, Any]] = None,
    out: Optional[str | os.PathLike[str]] = None,
    resume: bool = False,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    **options: Any,
) -> Result[Summary]:
    """Attribute risk of datasets made elsewhere: `synthetic` is one of them or a list. Else as `evaluate`."""
    options = {"resume": resume, **options}
    return _carry_out(
        "assess", table, synthetic=synthetic, settings=settings, out=out, program=program, progress=progress, options=options
    )


def utility(
    table: Any,
    synthetic: Any,
    *,
    settings: Optional[Mapping[str, Any]] = None,
    out: Optional[str | os.PathLike[str]] = None,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    **options: Any,
) -> Result[Document]:
    """How well synthetic datasets serve for what their table does. Arguments as for `assess`."""
    return _carry_out(
        "utility", table, synthetic=synthetic, settings=settings, out=out, program=program, progress=progress, options=options
    )


def attack(
    table: Any,
    synthetic: Any = None,
    *,
    settings: Optional[Mapping[str, Any]] = None,
    out: Optional[str | os.PathLike[str]] = None,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    **options: Any,
) -> Result[Document]:
    """What other tools measure of a release: ``keys=["A", "B"], target=["C"]``, and ``control=`` a table of other people."""
    return _carry_out(
        "attack", table, synthetic=synthetic, settings=settings, out=out, program=program, progress=progress, options=options
    )


def mask(
    table: Any,
    *,
    settings: Optional[Mapping[str, Any]] = None,
    out: Optional[str | os.PathLike[str]] = None,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    **options: Any,
) -> Result[Document]:
    """Masked microdata, to compare with synthetic data: ``method="mdav", k=3``. The masked table is in `datasets`."""
    return _carry_out("mask", table, settings=settings, out=out, program=program, progress=progress, options=options)


def compare(
    runs: Sequence[str | os.PathLike[str]],
    *,
    out: Optional[str | os.PathLike[str]] = None,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    **options: Any,
) -> Result[Document]:
    """Finished runs of one table side by side; `runs` are their folders."""
    folders = [os.path.abspath(run) for run in ([runs] if isinstance(runs, (str, os.PathLike)) else runs)]
    return _carry_out("compare", positional=folders, out=out, program=program, progress=progress, options=options)


def report(
    run: str | os.PathLike[str],
    *,
    program: Optional[str | os.PathLike[str]] = None,
    progress: bool = True,
    **options: Any,
) -> Result[Document]:
    """Writes the report of a finished run again, from the files in its folder."""
    return _carry_out(
        "report", positional=[os.path.abspath(run)], has_folder=False, program=program, progress=progress, options=options
    )
