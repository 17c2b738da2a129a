"""Plants faults everywhere in modules of a package and says which of them the package's tests find.

    mutants.py MUTATOR PACKAGE WORK --plant TARGET[/FOLDER…][=TESTS…] [--plant …]… [--prelude TARGET FILE]… [--shards N]
              [--sample N] [--seed S] [--only TARGET] [--excused FILE] [--again]

The package is copied to the folder WORK, and faults go into the sources of each TARGET there, all of them or those below the folders named. All
are built at once, each asleep. Every suite of the TESTS (targets of tests; all unless some are named) is run once to see which faults it
reaches, and then those that reach a fault with that fault awake, the quick ones first, until one fails. Results are kept, so that a run
that was stopped goes on. With --again only those faults are woken that an earlier run of the same faults has seen alive or unreached.
"""

import argparse, collections, fcntl, hashlib, json, os, pathlib, random, re, signal, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("mutator"), parser.add_argument("package", type=pathlib.Path), parser.add_argument("work", type=pathlib.Path)
parser.add_argument("--plant", action="append", required=True)
parser.add_argument("--prelude", nargs=2, action="append", default=[])
parser.add_argument("--shards", type=int, default=0, help="parts that the registry of operators is run in")
parser.add_argument("--sample", type=int)
parser.add_argument("--seed", default="0")
parser.add_argument("--again", action="store_true")
parser.add_argument("--only", help="the module whose faults are woken; all are planted")
parser.add_argument("--excused", type=pathlib.Path, help="survivors that change nothing, a JSON line each, with the reason")
arguments = parser.parse_args()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

work = arguments.work.resolve()
package = work / "package"
wrapper = os.environ.get("MUTANTS_WRAPPER", "").split()


class Plant:
    """A module that faults are planted into, and the tests that are to find them."""
    def __init__(self, text):
        place, _, tests = text.partition("=")
        self.target, *self.folders = place.replace(",", "/").split("/")
        self.tests = tests.split(",") if tests else []
        self.sources = arguments.package / "Sources" / self.target
        self.planted = package / "Sources" / self.target
        self.prelude = next(([x for x in ("--prelude", p)] for t, p in arguments.prelude if t == self.target), [])


plants = [Plant(text) for text in arguments.plant]

# Appended to a manifest: what the tests that are named need, and nothing else, is built.
ONLY = """
do {
    var wanted = Set(%s)
    for _ in package.targets {
        for target in package.targets where wanted.contains(target.name) {
            for dependency in target.dependencies {
                switch dependency {
                case .byNameItem(let name, _), .targetItem(let name, _): wanted.insert(name)
                default: break
                }
            }
        }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products = []
}
"""


def copy():
    """Copies the package, but for the sources that faults go into; what did not change is not built again."""
    package.mkdir(parents=True, exist_ok=True)
    planted = {str(p.sources.relative_to(arguments.package)) for p in plants}
    kept = {package / "Package.swift"}
    for folder, folders, files in os.walk(arguments.package):
        inside = os.path.relpath(folder, arguments.package)
        folders[:] = [f for f in folders if not f.startswith((".build", ".git")) and f != "__pycache__"]
        for name in files:
            source, copied = pathlib.Path(folder, name), package / inside / name
            kept.add(copied)
            if name.endswith(".swift") and any(inside == p or inside.startswith(p + "/") for p in planted): continue
            text = source.read_bytes()
            tests = sorted({test for plant in plants for test in plant.tests})
            if inside == "." and name == "Package.swift" and tests:
                text += (ONLY % json.dumps(tests)).encode()
            if copied.exists() and copied.read_bytes() == text: continue
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(text)
            copied.chmod(source.stat().st_mode)
    kept |= {p.planted / "Mutants.swift" for p in plants}
    for root in ("Sources", "Tests"):
        for path in (package / root).rglob("*"):
            if path.is_file() and path not in kept: path.unlink()


def identity(fault): return tuple(fault[k] for k in ("module", "file", "function", "kind", "code", "nth"))


def read(path):
    return [json.loads(line) for line in open(path) if line.strip()] if path and path.exists() else []


def plant(dropped, elsewhere=None):
    """Writes the sources with all faults but those dropped, or a copy that is not built; returns the faults by number."""
    faults = {}
    for place in plants:
        (work / "without").write_text("\n".join(map(str, sorted(dropped))))
        subprocess.run([arguments.mutator, place.sources, elsewhere or place.planted, work / "faults.jsonl", "--first", str(len(faults)),
                        "--without", work / "without"] + place.prelude + place.folders, check=True)
        for line in open(work / "faults.jsonl"):
            fault = json.loads(line)
            faults[fault["number"]] = dict(fault, module=place.target)
    return faults


def build():
    """Builds with all faults that compile; returns them by number."""
    # What did not compile once does not now.
    refused = work / "refused.jsonl"
    before = {identity(fault) for fault in read(refused)}
    dropped = {number for number, fault in plant(set(), work / "unplanted").items() if identity(fault) in before} if before else set()
    for attempt in range(20):
        faults = plant(dropped)
        refused.write_text("".join(json.dumps(faults[number]) + "\n" for number in sorted(dropped)))
        print(f"==> Building with {len(faults) - len(dropped)} faults, all asleep", flush=True)
        built = subprocess.run(
            wrapper + ["swift", "build", "--package-path", package, "--build-tests", "-Xswiftc", "-suppress-warnings",
                       "-debug-info-format", "none"], capture_output=True, text=True)
        if built.returncode == 0: return {n: f for n, f in faults.items() if n not in dropped}, len(faults)
        before = len(dropped)
        for path, line in set(re.findall(r"^(/[^:\n]+\.swift):(\d+):\d+: error:", built.stdout + built.stderr, re.M)):
            text = open(path).read().split("\n")
            # A fault that spans lines may be found at fault on any of them, or on one before it.
            for distance in [*range(0, 40), *range(-1, -20, -1)]:
                numbers = re.findall(r"\bmutant\w+\((\d+)", text[min(max(0, int(line) - 1 - distance), len(text) - 1)])
                if fresh := {int(n) for n in numbers} - dropped:
                    dropped |= fresh
                    break
        if len(dropped) == before:
            sys.exit("mutants: the package does not build, and no fault is the reason:\n"
                     + "\n".join((built.stdout + built.stderr).splitlines()[-30:]))
    sys.exit("mutants: the package does not build after twenty attempts")


def runner():
    folder = subprocess.run(["swift", "build", "--package-path", package, "--show-bin-path"], capture_output=True,
                            text=True, check=True).stdout.strip()
    return [str(next(pathlib.Path(folder).glob("*PackageTests.xctest"))), "--testing-library", "swift-testing"]


TICK = 0.1


def run(unit, environment, limit):
    """Returns "passed", "failed" or "endless", and the check that failed."""
    for attempt in range(3):
        outcome = run_once(unit, environment, limit)
        if outcome is not None: return outcome
    return "passed", ""


def run_once(unit, environment, limit):
    # What a run that is killed leaves behind goes with its folder.
    with tempfile.TemporaryDirectory(prefix="mutants", ignore_cleanup_errors=True) as folder:
        return run_in(folder, unit, environment, limit)


def run_in(folder, unit, environment, limit):
    """Runs a unit; None if the machine stood still meanwhile, so that its failure says nothing."""
    filter, shard = unit
    values = dict(os.environ, STREAMS_CASES=os.environ.get("STREAMS_CASES", "100"), STREAMS_RACES="200", TMPDIR=folder,
                  **environment)
    # Only the registry's cases: other tests may be about seeds themselves.
    if shard is not None: values |= {"STREAMS_SHARD": shard, "STREAMS_SEED": "20"}
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        process = subprocess.Popen(test + ["--filter", filter], stdout=log, stderr=subprocess.STDOUT, env=values,
                                   cwd=package, start_new_session=True)
        status, text, stood, last = None, "", False, time.monotonic()
        # Time is counted in turns of this loop, so that a machine that stands still ends nothing.
        try:
            for _ in range(int(limit / TICK)):
                try:
                    status = process.wait(TICK)
                    break
                except subprocess.TimeoutExpired: pass
                now = time.monotonic()
                stood, last = stood or now - last > 3, now
                text = os.pread(log.fileno(), 1 << 20, 0).decode(errors="replace")
                if " recorded an issue" in text: break
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


def cover(units, end):
    """Runs each unit once; returns its seconds and the faults that it reaches."""
    covering = {}
    for unit in units:
        with tempfile.NamedTemporaryFile() as file:
            file.truncate(end + 1)
            began = time.monotonic()
            outcome, failed = run(unit, {"MUTANT_COVERAGE": file.name}, 600)
            seconds = time.monotonic() - began
            if outcome != "passed":
                print(f"left out: {name(unit)} does not pass while all faults are asleep ({failed or outcome})", flush=True)
                continue
            reached = {i for i, byte in enumerate(open(file.name, "rb").read()) if byte}
        if reached: covering[unit] = (seconds, reached)
    return covering


def name(unit): return unit[0].strip("^$").replace("\\.", ".").replace("\\/", "") + (f" {unit[1]}" if unit[1] else "")


def units_of(suites):
    """The parts that the tests are run in: a suite each, and the registry in shards."""
    for suite in suites:
        if suite.endswith(".RegistryTests") and arguments.shards:
            shards = range(arguments.shards)
            yield from (("^" + re.escape(suite) + "\\/operators", f"{i}/{arguments.shards}") for i in shards)
        else:
            yield "^" + re.escape(suite).replace("/", "\\/") + "\\/", None


ALONE = 5


def wake(number, covering):
    """Runs what reaches a fault until something fails; returns the outcome and what failed."""
    # Those that are quick, and about little else, are the likeliest to be about it.
    reaching = sorted((unit for unit in covering if number in covering[unit][1]),
                      key=lambda unit: covering[unit][0] * len(covering[unit][1]))
    plain = [unit for unit in reaching if unit[1] is None]
    for unit in plain[:ALONE] + [unit for unit in reaching if unit[1] is not None]:
        outcome, by = run(unit, {"MUTANT": str(number)}, 15 + 8 * covering[unit][0])
        if outcome != "passed": return "killed", by if outcome == "failed" else f"{name(unit)} never ends"
    if rest := plain[ALONE:]:
        # All others in one process, which mostly waits; where many tests run at once, one may fail for that: it has to fail twice.
        limit = 30 + 4 * sum(covering[unit][0] for unit in rest)
        for _ in range(2):
            outcome, by = run(("|".join(unit[0] for unit in rest), None), {"MUTANT": str(number)}, limit)
            if outcome == "passed": break
        else: return "killed", by if outcome == "failed" else f"one of {len(rest)} parts never ends"
    return ("alive" if reaching else "unreached"), ""


def belongs(unit, tests):
    return not tests or name(unit).startswith(tests + ".")


work.mkdir(parents=True, exist_ok=True)
lock = open(work / "lock", "w")
try: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError: sys.exit(f"mutants: another run is at work in {work}")
copy()
faults, end = build()
test = runner()
listed = subprocess.run(test + ["--list-tests"], capture_output=True, text=True).stdout.split("\n")
units = list(units_of(sorted({line.rsplit("/", 1)[0] for line in listed if "/" in line})))


def digest(tests):
    """What the sources are, and those of some tests: of others what was seen says nothing."""
    state = hashlib.sha256(json.dumps([[n, *identity(f)] for n, f in sorted(faults.items())]).encode())
    for root in sorted({p.sources for p in plants}) + [arguments.package / "Tests" / folder for folder in tests]:
        for path in sorted(root.rglob("*.swift")): state.update(path.read_bytes())
    return state.hexdigest()[:12]


def covered(module):
    """Which faults are reached by which parts of a module's tests; what was found out once is read."""
    wanted = {p.target: p.tests for p in plants}[module] or [""]
    covering = {}
    for tests in wanted:
        file = work / f"coverage-{tests}-{digest([tests, 'Support'])}.json"
        if file.exists():
            covering |= {tuple(unit): (seconds, set(reached)) for unit, seconds, reached in json.load(open(file))}
            continue
        own = [unit for unit in units if belongs(unit, tests)]
        print(f"==> Which faults are reached by which of {len(own)} parts of {tests or 'the tests'}", flush=True)
        found = cover(own, end)
        file.write_text(json.dumps([[unit, seconds, sorted(reached)] for unit, (seconds, reached) in found.items()]))
        covering |= found
    return covering


state = digest([""])
results_file = work / "results.jsonl"
earlier = read(results_file)
known = {identity(entry): entry for entry in earlier if entry["state"] == state}
reasons = {}
for entry in read(arguments.excused):
    reasons[entry["module"], entry["file"], entry["function"], entry["kind"], entry["code"], entry.get("nth")] = entry["reason"]

chosen = sorted(n for n in faults if arguments.only in (None, faults[n]["module"]))
if arguments.again:
    last = {identity(entry): entry["outcome"] for entry in earlier}
    chosen = [n for n in chosen if last.get(identity(faults[n])) in ("alive", "unreached")]
if arguments.sample:
    chosen = sorted(random.Random(arguments.seed).sample(chosen, min(arguments.sample, len(chosen))))
modules = sorted({faults[n]["module"] for n in chosen})
covering = {module: covered(module) for module in modules}
print(f"==> Waking {len(chosen)} of them", flush=True)
count = collections.Counter()
with open(results_file, "a") as results:
    for number in chosen:
        fault = faults[number]
        entry = known.get(identity(fault))
        if entry is None:
            outcome, by = wake(number, covering[fault["module"]])
            entry = dict(fault, outcome=outcome, by=by, state=state)
            results.write(json.dumps(entry) + "\n")
            results.flush()
        key = identity(fault)
        reason = reasons.get(key) or reasons.get(key[:-1] + (None,))
        outcome = "excused" if reason and entry["outcome"] != "killed" else entry["outcome"]
        count[outcome] += 1
        line = f'{outcome:9} {fault["module"]}/{fault["file"]}:{fault["line"]} {fault["function"]} {fault["kind"]}: {fault["code"][:70]}'
        print(line + (f'  [{reason or entry["by"]}]' if reason or entry["by"] else ""), flush=True)
total = sum(count.values())
print("==> " + ", ".join(f"{count[k]} {k}" for k in ("killed", "excused", "alive", "unreached")) + f" of {total}")
sys.exit(0 if count["killed"] + count["excused"] >= 0.97 * total else 1)
