"""Runs tests in parts: a suite each, and the registry of operators in shards, whose faults a run wakes through its environment."""

import os, pathlib, re, subprocess, tempfile, threading, time

TICK = 0.1
# So long may a run say nothing and do nothing, in seconds.
QUIET = 12
# How many times its limit a run may take where others keep the processors busy.
BUSY = 3
# Set when this program ends: no run goes on then.
stopping = threading.Event()


def worked(session):
    """The processor time that the processes of a session have used, in seconds."""
    ticks = 0
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit(): continue
        try: fields = pathlib.Path(entry.path, "stat").read_text().rpartition(")")[2].split()
        except OSError: continue
        # Behind the name: state, parent, group, session; times of its own and of the children that it has waited for.
        if int(fields[3]) == session: ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


class Runner:
    """Runs the tests of a package that has been built."""
    def __init__(self, package):
        self.package = package
        folder = subprocess.run(["swift", "build", "--package-path", package, "--show-bin-path"], capture_output=True,
                                text=True, check=True).stdout.strip()
        self.test = [str(next(pathlib.Path(folder).glob("*PackageTests.xctest"))), "--testing-library", "swift-testing"]

    def run(self, unit, environment, limit):
        """Returns "passed", "failed" or "endless", and the check that failed; the limit is one of processor time, in seconds."""
        for attempt in range(3):
            outcome = self.run_once(unit, environment, limit)
            if outcome is not None: return outcome
        return "passed", ""

    def run_once(self, unit, environment, limit):
        # What a run that is killed leaves behind goes with its folder.
        with tempfile.TemporaryDirectory(prefix="mutants", ignore_cleanup_errors=True) as folder:
            return self.run_in(folder, unit, environment, limit)

    def run_in(self, folder, unit, environment, limit):
        """Runs a unit; None if the machine stood still meanwhile, so that its failure says nothing."""
        filter, shard = unit
        values = dict(os.environ, STREAMS_CASES=os.environ.get("STREAMS_CASES", "100"), STREAMS_RACES="200", TMPDIR=folder,
                      **environment)
        # Only the registry's cases: other tests may be about seeds themselves.
        if shard is not None: values |= {"STREAMS_SHARD": shard, "STREAMS_SEED": "20"}
        with tempfile.TemporaryFile("w+", errors="replace") as log:
            process = subprocess.Popen(self.test + ["--filter", filter], stdout=log, stderr=subprocess.STDOUT, env=values,
                                       cwd=self.package, start_new_session=True)
            status, text, stood, last = None, "", False, time.monotonic()
            heard, quiet_since = (0, 0.0), 0
            # Time is counted in turns of this loop, so that a machine that stands still ends nothing.
            try:
                for turn in range(int(BUSY * limit / TICK)):
                    try:
                        status = process.wait(TICK)
                        break
                    except subprocess.TimeoutExpired: pass
                    now = time.monotonic()
                    stood, last = stood or now - last > 3, now
                    text = os.pread(log.fileno(), 1 << 20, 0).decode(errors="replace")
                    if " recorded an issue" in text or stopping.is_set(): break
                    if turn % 10: continue
                    # Whoever waits for what never comes is not waited for until the limit: it says nothing, and works for a
                    # twentieth of the time at most.
                    work = worked(process.pid)
                    if work > limit: break
                    if len(text) != heard[0] or work - heard[1] > QUIET / 20: heard, quiet_since = (len(text), work), turn
                    elif (turn - quiet_since) * TICK > QUIET: break
            finally:
                # Its processes end with it, and with this program: a fault that hangs would keep a processor for good.
                try: os.killpg(process.pid, 9)
                except ProcessLookupError: pass
                process.wait()
            text = os.pread(log.fileno(), 1 << 20, 0).decode(errors="replace")
        if status == 0: return "passed", ""
        if stood: return None
        if status is None and " recorded an issue" not in text: return "endless", ""
        found = re.search(r"Test (?:case passing \d+ arguments? )?(.{0,160}?) (?:recorded an issue|failed)", text)
        return "failed", found.group(1) if found else f"the run, with status {status}"

    def units(self, shards):
        """The parts that the tests are run in: a suite each, and the registry in shards."""
        listed = subprocess.run(self.test + ["--list-tests"], capture_output=True, text=True).stdout.split("\n")
        for suite in sorted({line.rsplit("/", 1)[0] for line in listed if "/" in line}):
            if suite.endswith(".RegistryTests") and shards:
                yield from (("^" + re.escape(suite) + "\\/operators", f"{i}/{shards}") for i in range(shards))
            else:
                yield "^" + re.escape(suite).replace("/", "\\/") + "\\/", None


def name(unit): return unit[0].strip("^$").replace("\\.", ".").replace("\\/", "") + (f" {unit[1]}" if unit[1] else "")


def belongs(unit, tests):
    return not tests or name(unit).startswith(tests + ".")
