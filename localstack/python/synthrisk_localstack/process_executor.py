"""Runs each execution environment of a Lambda function as a Node process on this machine."""

import json
import os
import select
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

ADDRESS = "127.0.0.1"
RUNTIME = Path(__file__).with_name("runtime.mjs")

# Variables of LocalStack's own process that a function gets as well: where Node and temporary files are.
INHERITED = ("PATH", "TMPDIR")

# Seconds that a process has to end by itself.
STOP_SECONDS = 5


class FunctionProcess:
    """One Node process: a line of JSON for each call, and a line of JSON as the answer to it."""

    def __init__(self, folder: str, environment: dict[str, str]) -> None:
        # The log is a file, not a pipe: whatever was written before an answer is there when the answer is.
        self._log = tempfile.TemporaryFile()
        self._log_read = 0
        answers, answers_of_process = os.pipe()
        node = os.environ.get("NODE_BINARY", "node")
        self._process = subprocess.Popen(
            [node, str(RUNTIME), str(answers_of_process)],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            pass_fds=[answers_of_process],
        )
        os.close(answers_of_process)
        self._answers = os.fdopen(answers, "rb", buffering=0)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def call(self, call: dict[str, str], seconds: float) -> dict | None:
        """The answer to a call, or None when the process ends before. TimeoutError after so many seconds."""
        deadline = time.monotonic() + seconds
        try:
            self._process.stdin.write(json.dumps(call).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        line = bytearray()
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            piece = self._answers.read(65536)
            if not piece:
                return None
            line += piece
        return json.loads(line)

    def new_log(self) -> str:
        """What was written since the last call of this."""
        # Read at a place: the process writes through a descriptor that shares its position with this one.
        start, end = self._log_read, os.fstat(self._log.fileno()).st_size
        self._log_read = end
        return os.pread(self._log.fileno(), end - start, start).decode(errors="replace")

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()
        self._answers.close()
        self._log.close()


class ProcessExecutor(RuntimeExecutor):
    """An execution environment. Its process is started again after it has ended or was too slow."""

    def __init__(self, id: str, function_version: FunctionVersion) -> None:
        super().__init__(id=id, function_version=function_version)
        self._environment: dict[str, str] = {}
        self._process: FunctionProcess | None = None
        self._lock = threading.Lock()
        self._log = ""

    def start(self, env_vars: dict[str, str]) -> None:
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        self._environment = inherited | {name: str(value) for name, value in env_vars.items()}
        self._process = self._start_process()

    def _start_process(self) -> FunctionProcess:
        folder = self.function_version.config.code.get_unzipped_code_location()
        return FunctionProcess(str(folder), self._environment)

    def stop(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.stop()

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        process = self._process
        if process is None or not process.alive:
            self.stop()
            process = self._process = self._start_process()
        request = payload["invoke-id"]
        seconds = self.function_version.config.timeout
        call = {
            "requestId": request,
            "functionArn": payload["invoked-function-arn"],
            "payload": payload["payload"],
        }
        try:
            answer = process.call(call, seconds)
            ended = ("Runtime.ExitError", f"RequestId: {request} Error: Runtime exited")
        except TimeoutError:
            answer = None
            ended = ("Sandbox.Timedout", f"RequestId: {request} Error: Task timed out after {seconds:.2f} seconds")
        self._log = process.new_log()
        if answer is None:
            self.stop()
            error_type, message = ended
            answer = {"failed": True, "payload": json.dumps({"errorType": error_type, "errorMessage": message})}
        report = f"START RequestId: {request}\n{self._log}END RequestId: {request}\n"
        return InvocationResult(request, answer["payload"].encode(), is_error=answer["failed"], logs=report)

    def get_logs(self) -> str:
        return self._log

    def get_address(self) -> str:
        return ADDRESS

    def get_endpoint_from_executor(self) -> str:
        return ADDRESS

    def get_runtime_endpoint(self) -> str:
        # Where the runtime interface emulator would report to, which these processes do without.
        return f"http://{ADDRESS}"

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        if function_version.config.code:
            function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        """Nothing: LocalStack removes the code itself when no version has it any more."""


class ProcessExecutorPlugin(RuntimeExecutorPlugin):
    """Chosen by LAMBDA_RUNTIME_EXECUTOR=process."""

    name = "process"

    def load(self, *args, **kwargs) -> type[RuntimeExecutor]:
        return ProcessExecutor
