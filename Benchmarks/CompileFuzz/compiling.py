"""One compiler run: its outcome and its processor time."""

import os
import re
import resource
import signal
import subprocess
from dataclasses import dataclass, field

from chains import client

LIMIT = 20  # seconds of processor time for one chain in one mode
CHECK, DEBUG, FAST = ("-typecheck",), ("-c", "-Onone"), ("-c", "-O")


@dataclass(frozen=True)
class Result:
    outcome: str  # ok, error, too complex, crash, timeout; missing where the library has not got the operators
    milliseconds: float
    message: list


@dataclass
class Timing:
    """A chain's time beyond that of a file without one: the least of several of each, as what else the machine does only adds.

    Both are taken in turns, as a chain's few milliseconds are less than what one minute of the machine differs from the next.
    """

    outcome: str = "ok"
    chain: float = float("inf")
    idle: float = float("inf")
    message: list = field(default_factory=list)

    @property
    def milliseconds(self):
        return max(0, self.chain - self.idle) if self.chain < float("inf") else 0

    @property
    def worth_repeating(self):
        return self.outcome == "ok" and (self.chain == float("inf") or self.chain < 2000)

    def add(self, result, idle):
        self.outcome, self.message = result.outcome, result.message
        self.chain, self.idle = min(self.chain, result.milliseconds), min(self.idle, idle)


class Library:
    """A library's module, optimised and not, and the time that a client without a chain takes."""

    def __init__(self, name, sources, c_target, folder, version, client_version):
        self.name, self.folder, self.client_version = name, folder, client_version
        header = next(entry.path for entry in os.scandir(f"{c_target}/include") if entry.name.endswith(".h"))
        self.module_map = f"{folder}/{name}.modulemap"
        with open(self.module_map, "w") as file:
            file.write(f'module {os.path.basename(c_target)} {{ header "{os.path.abspath(header)}"\nexport * }}\n')
        files = [os.path.join(place, file) for place, _, found in os.walk(sources) for file in found if file.endswith(".swift")]
        self.names = set()
        for path in files:
            with open(path) as file: self.names.update(re.findall(r"(?:func|var|let|class|struct|enum|case) +`?(\w+)", file.read()))
        self.modules = {}
        for level in ("-Onone", "-O"):
            self.modules[level] = f"{folder}/{name}{level}"
            os.mkdir(self.modules[level])
            subprocess.run(
                ["swiftc", "-parse-as-library", "-wmo", level, "-suppress-warnings", "-swift-version", version, "-module-name", name,
                 "-package-name", name.lower(), "-Xcc", f"-fmodule-map-file={self.module_map}", "-emit-module", "-emit-module-path",
                 f"{self.modules[level]}/{name}.swiftmodule", *sorted(files)], check=True)
        self.idle = {mode: min(self.idle_now("idle", mode) for _ in range(4)) for mode in (CHECK, DEBUG, FAST)}
        empty, importing = ([self.run("import", source, CHECK)[1] for _ in range(6)] for source in ("", f"import {name}\n"))
        self.importing = max(0, min(importing) - min(empty))

    def has(self, chain):
        """Whether it has got all that the chain's text names; what it lacks would only be searched for, for seconds."""
        return self.names.issuperset(chain.names)

    def idle_now(self, name, mode):
        """The time that a file without a chain takes at the moment."""
        return self.run(f"{name}-idle", client(self.name), mode)[1]

    def compile(self, name, chain, mode, idle=None):
        """The outcome of a chain, and the time that it takes beyond that of a file without one."""
        status, milliseconds, message = self.run(name, chain.file(self.name), mode)
        milliseconds = max(0, milliseconds - (self.idle[mode] if idle is None else idle))
        errors = [line.split(": ", 1)[-1] for line in message.splitlines() if ": error: " in line][:3]
        # Two clocks of the kernel: the limit's may be ahead of the one that reports.
        if milliseconds >= 1000 * LIMIT or status in (-signal.SIGXCPU, -signal.SIGKILL):
            outcome = "timeout"
        elif status < 0 or "Stack dump" in message or (status != 0 and not errors):
            outcome, errors = "crash", [line for line in message.splitlines() if line.strip()][:3]
        elif any("in reasonable time" in line for line in errors):
            outcome = "too complex"
        else:
            outcome = "ok" if status == 0 else "error"
        return Result(outcome, milliseconds, errors)

    def run(self, name, source, mode):
        """The exit status, the processor time in milliseconds and what the compiler said."""
        path = f"{self.folder}/{self.name}-{name}{mode[-1]}.swift"
        with open(path, "w") as file: file.write(source)
        module = self.modules["-O" if mode is FAST else "-Onone"]
        output = [] if mode is CHECK else ["-o", f"{path}.o"]
        # The frontend itself, as the driver's own time is not the chain's. It ends itself when its time is over.
        child = subprocess.Popen(
            ["swiftc", "-frontend", *mode, "-parse-as-library", "-module-name", "Client", "-swift-version", self.client_version,
             "-suppress-warnings", "-I", module, "-Xcc", f"-fmodule-map-file={self.module_map}", "-module-cache-path", f"{self.folder}/cache",
             path, *output],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}, text=True,
            errors="replace", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT + 1, LIMIT + 2)))
        message = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        for leftover in (path, f"{path}.o"):
            if os.path.exists(leftover): os.remove(leftover)
        return child.returncode, 1000 * (usage.ru_utime + usage.ru_stime), message
