"""Plants faults everywhere in one module of a package and says which of them the package's tests find.

    mutants.py MUTATOR PACKAGE TARGET [--folder NAME]… [--prelude FILE] [--shards N] [--sample N] [--seed S]
              [--results FILE] [--excused FILE]

PACKAGE is a copy that may be changed; its sources of TARGET are kept beside it. All faults are built at once, each asleep. Every suite of
tests is run once to see which faults it reaches, and then those that reach a fault with that fault awake, the quick ones first, until
one fails. Results are kept, so that a run that was stopped goes on.
"""

import argparse, collections, hashlib, json, os, pathlib, random, re, shutil, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser()
parser.add_argument("mutator"), parser.add_argument("package", type=pathlib.Path), parser.add_argument("target")
parser.add_argument("--folder", action="append", default=[])
parser.add_argument("--prelude")
parser.add_argument("--shards", type=int, default=0, help="parts that the registry of operators is run in")
parser.add_argument("--sample", type=int)
parser.add_argument("--seed", default="0")
parser.add_argument("--results", type=pathlib.Path)
parser.add_argument("--excused", type=pathlib.Path, help="survivors that change nothing: file, kind, code and reason, a JSON line each")
arguments = parser.parse_args()

work = arguments.package.resolve()
sources = work / "Sources" / arguments.target
original = work.parent / "original"
wrapper = os.environ.get("MUTANTS_WRAPPER", "").split()


def build():
    """Builds with all faults that compile; returns them by number."""
    dropped = set()
    for attempt in range(12):
        without = work.parent / "without"
        without.write_text("\n".join(map(str, sorted(dropped))))
        command = [arguments.mutator, original, sources, work.parent / "faults.jsonl", "--without", without]
        if arguments.prelude: command += ["--prelude", arguments.prelude]
        subprocess.run(command + arguments.folder, check=True)
        faults = [json.loads(line) for line in open(work.parent / "faults.jsonl")]
        print(f"==> Building with {len(faults) - len(dropped)} faults, all asleep", flush=True)
        built = subprocess.run(
            wrapper + ["swift", "build", "--package-path", work, "--build-tests", "-Xswiftc", "-suppress-warnings",
                       "-debug-info-format", "none"], capture_output=True, text=True)
        if built.returncode == 0: return {f["number"]: f for f in faults if f["number"] not in dropped}
        before = len(dropped)
        for path, line in set(re.findall(r"^(/[^:\n]+\.swift):(\d+):\d+: error:", built.stdout + built.stderr, re.M)):
            text = open(path).read().split("\n")
            # A fault that spans lines may be found at fault on any of them.
            for distance in range(0, 40):
                numbers = re.findall(r"\bmutant\w+\((\d+)", text[max(0, int(line) - 1 - distance)])
                if fresh := {int(n) for n in numbers} - dropped:
                    dropped |= fresh
                    break
        if len(dropped) == before:
            sys.exit("mutants: the package does not build, and no fault is the reason:\n"
                     + "\n".join((built.stdout + built.stderr).splitlines()[-30:]))
    sys.exit("mutants: the package does not build after twelve attempts")


def runner():
    folder = subprocess.run(["swift", "build", "--package-path", work, "--show-bin-path"], capture_output=True,
                            text=True, check=True).stdout.strip()
    return [str(next(pathlib.Path(folder).glob("*PackageTests.xctest"))), "--testing-library", "swift-testing"]


def run(unit, environment, limit):
    """Returns "passed", "failed" or "endless", and the check that failed."""
    filter, shard = unit
    values = dict(os.environ, STREAMS_SEED="20", STREAMS_CASES=os.environ.get("STREAMS_CASES", "100"),
                  STREAMS_RACES="200", **environment)
    if shard is not None: values["STREAMS_SHARD"] = shard
    # Its processes end with it.
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(test + ["--filter", filter], stdout=log, stderr=subprocess.STDOUT, env=values,
                                   cwd=work, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
        try: os.killpg(process.pid, 9)
        except ProcessLookupError: pass
        process.wait()
        log.seek(0)
        text = log.read()
    if status is None: return "endless", ""
    if status == 0: return "passed", ""
    found = re.search(r"Test (?:case passing \d+ arguments? )?(.{0,90}?) (?:recorded an issue|failed)", text)
    return "failed", found.group(1) if found else f"the run, with status {status}"


def cover(units):
    """Runs each unit once; returns its seconds and the faults that it reaches."""
    covering = {}
    for unit in units:
        with tempfile.NamedTemporaryFile() as file:
            began = time.monotonic()
            outcome, failed = run(unit, {"MUTANT_COVERAGE": file.name}, 600)
            seconds = time.monotonic() - began
            if outcome != "passed":
                print(f"left out: {name(unit)} does not pass while all faults are asleep ({failed or outcome})", flush=True)
                continue
            reached = {i for i, byte in enumerate(open(file.name, "rb").read()) if byte}
        if reached: covering[unit] = (seconds, reached)
    return covering


def name(unit): return unit[0].strip("^$").replace("\\.", ".") + (f" {unit[1]}" if unit[1] else "")


if not original.exists(): shutil.copytree(sources, original)
# Of other sources or tests the results say nothing.
digest = hashlib.sha256()
for path in sorted(p for root in (original, work / "Tests") for p in root.rglob("*.swift")): digest.update(path.read_bytes())
results_file = arguments.results or work.parent / f"results-{digest.hexdigest()[:12]}.jsonl"
faults = build()
test = runner()
listed = subprocess.run(test + ["--list-tests"], capture_output=True, text=True).stdout.split("\n")
suites = sorted({line.rsplit("/", 1)[0] for line in listed if "/" in line})
units = []
for suite in suites:
    if suite.endswith(".RegistryTests") and arguments.shards:
        units += [("RegistryTests/operators", f"{i}/{arguments.shards}") for i in range(arguments.shards)]
    else:
        units.append(("^" + re.escape(suite).replace("/", "\\/") + "\\/", None))
print(f"==> Which of {len(faults)} faults are reached by which of {len(units)} parts of the tests", flush=True)
covering = cover(units)

chosen = sorted(faults)
if arguments.sample:
    chosen = sorted(random.Random(arguments.seed).sample(chosen, min(arguments.sample, len(chosen))))
known = {}
if results_file.exists():
    for line in open(results_file):
        entry = json.loads(line)
        known[entry["file"], entry["line"], entry["kind"], entry["code"]] = entry
reasons = {}
if arguments.excused and arguments.excused.exists():
    for line in open(arguments.excused):
        if line.strip():
            entry = json.loads(line)
            reasons[entry["file"], entry["kind"], entry["code"]] = entry["reason"]

print(f"==> Waking {len(chosen)} of them", flush=True)
count = collections.Counter()
with open(results_file, "a") as results:
    for number in chosen:
        fault = faults[number]
        key = fault["file"], fault["line"], fault["kind"], fault["code"]
        entry = known.get(key)
        if entry is None:
            entry = dict(fault, outcome="alive", by="")
            reaching = sorted((unit for unit in covering if number in covering[unit][1]), key=lambda u: covering[u][0])
            if not reaching: entry["outcome"] = "unreached"
            for unit in reaching:
                outcome, by = run(unit, {"MUTANT": str(number)}, 20 + 10 * covering[unit][0])
                if outcome != "passed":
                    entry["outcome"], entry["by"] = "killed", by if outcome == "failed" else f"{name(unit)} never ends"
                    break
            results.write(json.dumps(entry) + "\n")
            results.flush()
        reason = reasons.get((fault["file"], fault["kind"], fault["code"]))
        outcome = "excused" if reason and entry["outcome"] != "killed" else entry["outcome"]
        count[outcome] += 1
        line = f'{outcome:9} {fault["file"]}:{fault["line"]} {fault["kind"]}: {fault["code"][:70]}'
        print(line + (f'  [{reason or entry["by"]}]' if reason or entry["by"] else ""), flush=True)
total = sum(count.values())
print("==> " + ", ".join(f"{count[k]} {k}" for k in ("killed", "excused", "alive", "unreached")) + f" of {total}")
sys.exit(0 if count["killed"] + count["excused"] >= 0.97 * total else 1)
