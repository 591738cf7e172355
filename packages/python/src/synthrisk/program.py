"""The program: where it is, and a call of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

from .errors import BY_EXIT_CODE, BadInput, Failed, Interrupted

VARIABLE = "SYNTHRISK_PROGRAM"

MISSING = f"""The program synthrisk was not found. Install Node 20.19 or later, and in a clone of synthrisk run `npm ci` and `npm link`.
A program elsewhere is given as {VARIABLE}=PATH in the environment, or as program=PATH."""


def find_program(program: Optional[str | os.PathLike[str]]) -> list[str]:
    """The words that call the program: of the argument, of the environment, or of the path, in this order.

    Raises BadInput `no-program` when there is none.
    """
    named = os.fspath(program or os.environ.get(VARIABLE) or "synthrisk")
    if named.endswith(".mjs"):
        node = shutil.which("node")
        if node and Path(named).is_file():
            return [node, str(Path(named).resolve())]
    found = shutil.which(named)
    if found is None or named.endswith(".mjs"):
        raise BadInput("no-program", MISSING if named == "synthrisk" else f"There is no program {named}. {MISSING}")
    return [found]


FLAG = r"(?<![\w-])--([a-z][a-z-]*)"
"""A flag of the program in a message."""


def in_python(message: str) -> str:
    """A message of the program, with its flags as arguments; those that a value follows are explained in a last line."""
    alone = re.sub(FLAG + r"(?: <[^>]*>)?(?= does not take| \(|[:?,.;)']|$)", lambda flag: _argument(flag[1]), message, flags=re.M)
    others = dict.fromkeys(re.findall(FLAG, re.sub(r"`synthrisk [^`]*`|^synthrisk .*$", "", alone, flags=re.M)))
    if not others:
        return alone
    return f"{alone}\nIn Python, {', '.join(f'--{flag} is {_argument(flag)}=' for flag in others)}."


def _argument(flag: str) -> str:
    return flag.replace("-", "_")


def call(words: list[str], document: Path, *, progress: bool) -> tuple[Any, int]:
    """Calls the program; gives its document and its exit code, which is 0 or 4.

    `document` is the file that its standard output goes to. Progress is passed on to standard error, line by line.
    """
    said: list[str] = []
    with document.open("xb") as output:
        os.chmod(document, 0o600)
        # In a session of its own, so that Ctrl-C reaches it once, by us.
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=os.name == "posix",
        )
        try:
            assert process.stderr is not None
            for line in process.stderr:
                said.append(line)
                if progress:
                    print(line, end="", file=sys.stderr, flush=True)
            code = process.wait()
        except KeyboardInterrupt:
            stop(process)
            raise Interrupted("interrupted", "Interrupted.") from None
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    try:
        answer = json.loads(document.read_text(encoding="utf-8"))
    except ValueError:
        raise Failed("no-answer", f"The program ended with code {code} and no answer. It said: {''.join(said[-5:]).strip()}") from None
    if code in (0, 4):
        return answer, code
    error = dict(answer.get("error", {}))
    message = "\n".join(error.pop(name) for name in ("message", "hint") if name in error)
    raise BY_EXIT_CODE.get(code, Failed)(error.pop("code", "failed"), in_python(message), error)


def stop(process: subprocess.Popen[str]) -> None:
    """Stops the program as Ctrl-C does, so that it leaves a run that can go on; a second Ctrl-C ends it at once."""
    try:
        # Elsewhere a console has sent Ctrl-C to the program already.
        if os.name == "posix":
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        process.kill()
        process.wait()
