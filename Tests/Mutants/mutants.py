"""Plants faults everywhere in modules of a package and says which of them the package's tests find.

    mutants.py MUTATOR PACKAGE WORK --plant TARGET[/FOLDER…][=TESTS…] [--plant …]… [--prelude TARGET FILE]… [--shards N]
              [--sample N] [--seed S] [--only TARGET] [--excused FILE] [--seen FILE] [--again] [--jobs N]

The package is copied to the folder WORK, and faults go into the sources of each TARGET there, all of them or those below the folders named. All
are built at once, each asleep. Every suite of the TESTS (targets of tests; all unless some are named) is run once to see which faults it
reaches, and then those that reach a fault with that fault awake, the quick ones first, until one fails. Results are kept, so that a run
that was stopped goes on. With --again only those faults are woken that an earlier run of the same faults has seen alive or unreached.
"""

import argparse, collections, concurrent.futures, fcntl, functools, hashlib, json, os, pathlib, resource, signal, sys, tempfile, time

from planting import Planting, identity, read
from running import Runner, belongs, name, stopping

parser = argparse.ArgumentParser()
parser.add_argument("mutator"), parser.add_argument("package", type=pathlib.Path), parser.add_argument("work", type=pathlib.Path)
parser.add_argument("--plant", action="append", required=True)
parser.add_argument("--prelude", nargs=2, action="append", default=[])
parser.add_argument("--shards", type=int, default=0, help="parts that the registry of operators is run in")
parser.add_argument("--sample", type=int)
parser.add_argument("--seed", default="0")
parser.add_argument("--again", action="store_true")
parser.add_argument("--only", help="the module whose faults are woken; all are planted")
parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many faults are looked for at once")
parser.add_argument("--excused", type=pathlib.Path, help="survivors that change nothing, a JSON line each, with the reason")
parser.add_argument("--seen", type=pathlib.Path, help="faults that runs before have looked at, also elsewhere; those of now are added")
arguments = parser.parse_args()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

work = arguments.work.resolve()


def processor():
    """The processor time of all runs that are over, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cover(units, end):
    """Runs each unit once; returns its seconds and the faults that it reaches."""
    covering = {}
    for unit in units:
        # On a busy machine a test may fail for that: it has to fail twice.
        for _ in range(2):
            with tempfile.NamedTemporaryFile() as file:
                file.truncate(end + 1)
                began = time.monotonic(), processor()
                outcome, failed = runner.run(unit, {"MUTANT_COVERAGE": file.name}, 600)
                # Limits are of processor time, of which a unit may use more than its time where there are many processors.
                seconds = max(time.monotonic() - began[0], processor() - began[1])
                reached = {i for i, byte in enumerate(open(file.name, "rb").read()) if byte}
            if outcome == "passed": break
        if outcome != "passed":
            print(f"left out: {name(unit)} does not pass while all faults are asleep ({failed or outcome})", flush=True)
            continue
        if reached: covering[unit] = (seconds, reached)
    return covering


ALONE = 5
# What has found faults of a file before.
finders = collections.defaultdict(collections.Counter)


def wake(number, covering):
    """Runs what reaches a fault until something fails; returns the outcome and what failed."""
    found = finders[faults[number]["module"], faults[number]["file"]]
    # Those that have found others of its file are the likeliest to find it, and those that are quick and about little else.
    reaching = sorted((unit for unit in covering if number in covering[unit][1]),
                      key=lambda unit: (-found[unit], covering[unit][0] * len(covering[unit][1])))
    plain = [unit for unit in reaching if unit[1] is None]
    for unit in plain[:ALONE] + [unit for unit in reaching if unit[1] is not None]:
        outcome, by = runner.run(unit, {"MUTANT": str(number)}, 15 + 8 * covering[unit][0])
        if outcome == "passed": continue
        found[unit] += 1
        return "killed", by if outcome == "failed" else f"{name(unit)} never ends"
    if rest := plain[ALONE:]:
        # All others in one process, which mostly waits; where many tests run at once, one may fail for that: it has to fail twice.
        limit = 30 + 4 * sum(covering[unit][0] for unit in rest)
        for _ in range(2):
            outcome, by = runner.run(("|".join(unit[0] for unit in rest), None), {"MUTANT": str(number)}, limit)
            if outcome != "failed": break
        if outcome != "passed": return "killed", by or f"one of {len(rest)} parts never ends"
    return ("alive" if reaching else "unreached"), ""


work.mkdir(parents=True, exist_ok=True)
lock = open(work / "lock", "w")
try: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
except OSError: sys.exit(f"mutants: another run is at work in {work}")
planting = Planting(arguments.mutator, arguments.package, work, arguments.plant, arguments.prelude)
planting.copy()
faults, end = planting.build()
runner = Runner(planting.package)
units = list(runner.units(arguments.shards))


def digest(tests):
    """What the sources are, and those of some folders of tests: of others what was seen says nothing."""
    state = hashlib.sha256(json.dumps([[n, *identity(f)] for n, f in sorted(faults.items())]).encode())
    for root in sorted({p.sources for p in planting.places}) + [arguments.package / "Tests" / folder for folder in tests]:
        for path in sorted(root.rglob("*.swift")): state.update(path.read_bytes())
    return state.hexdigest()[:12]


def covered(module):
    """Which faults are reached by which parts of a module's tests; what was found out once is read."""
    wanted = {p.target: p.tests for p in planting.places}[module] or [""]
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


@functools.cache
def file_digest(module, file):
    """What the file of a fault is."""
    sources = next(p.sources for p in planting.places if p.target == module)
    return hashlib.sha256((sources / file).read_bytes()).hexdigest()[:12]


excuses = read(arguments.excused)


def excused(fault):
    """Why a fault may live, if a line of those excused is about it: what that does not name may be any."""
    return next((excuse["reason"] for excuse in excuses if matches(excuse, fault)), None)


def matches(excuse, fault):
    return all(fault[key] == value for key, value in excuse.items() if key != "reason")


def holds(entry):
    """Whether what was seen of a fault still says something: what was found stays found while its file is what it was; what lived is
    looked at again whenever something changes, unless it may."""
    if entry["outcome"] == "killed": return entry["state"] == file_digest(entry["module"], entry["file"])
    return entry["state"] == everything or excused(entry) is not None


everything = digest([""])
results_file = work / "results.jsonl"
earlier = read(arguments.seen) + read(results_file)
files = {(fault["module"], fault["file"]) for fault in faults.values()}
earlier = [entry for entry in earlier if (entry["module"], entry["file"]) in files]
known = {identity(entry): entry for entry in earlier if holds(entry)}
for excuse in excuses:
    if not any(matches(excuse, fault) for fault in faults.values()): print(f"no such fault: {json.dumps(excuse)}")
chosen = sorted(n for n in faults if arguments.only in (None, faults[n]["module"]))
if arguments.again:
    last = {identity(entry): entry["outcome"] for entry in earlier}
    chosen = [n for n in chosen if last.get(identity(faults[n])) in ("alive", "unreached")]


def order(number):
    """Mixed, so that a run that is stopped has seen something of everything; a change of the sources changes the place of no other fault."""
    key = identity(faults[number])
    return arguments.sample is None and key not in known, hashlib.sha256(json.dumps([arguments.seed, *key]).encode()).digest()


chosen = sorted(chosen, key=order)[:arguments.sample]
modules = sorted({faults[n]["module"] for n in chosen})
covering = {module: covered(module) for module in modules}
print(f"==> Waking {len(chosen)} of them", flush=True)
count = collections.Counter()


def look(number):
    """What becomes of a fault: as it was seen before, or by waking it."""
    fault = faults[number]
    if entry := known.get(identity(fault)): return dict(entry, **fault), True
    began = time.monotonic()
    outcome, by = wake(number, covering[fault["module"]])
    state = file_digest(fault["module"], fault["file"]) if outcome == "killed" else everything
    return dict(fault, outcome=outcome, by=by, seconds=round(time.monotonic() - began, 1), state=state), False


def keep(file):
    """Writes down what was seen, in an order of its own, for whoever goes on elsewhere."""
    # This run may be about some of the modules.
    others = [e for e in read(file) if (e["module"], e["file"]) not in files and (arguments.package / "Sources" / e["module"] / e["file"]).exists()]
    mine = [entry for entry in earlier + read(results_file) if (entry["module"], entry["file"]) in files]
    there = {identity(fault) for fault in faults.values()}
    mine = [entry for entry in mine if identity(entry) in there and (entry["outcome"] != "killed" or holds(entry))]
    seen = {identity(entry): entry for entry in others + mine}
    names = ("module", "file", "function", "kind", "code", "nth", "outcome", "by", "state")
    file.write_text("".join(json.dumps({k: seen[key][k] for k in names}) + "\n" for key in sorted(seen)))


def show(entry):
    reason = excused(entry)
    outcome = "excused" if reason and entry["outcome"] != "killed" else entry["outcome"]
    count[outcome] += 1
    line = f'{outcome:9} {entry["module"]}/{entry["file"]}:{entry["line"]} {entry["function"]} {entry["kind"]}: {entry["code"][:70]}'
    print(line + (f'  [{reason or entry["by"]}]' if reason or entry["by"] else ""), flush=True)


pool = concurrent.futures.ThreadPoolExecutor(arguments.jobs)
with open(results_file, "a") as results:
    try:
        for found in concurrent.futures.as_completed([pool.submit(look, number) for number in chosen]):
            entry, isKnown = found.result()
            if not isKnown:
                results.write(json.dumps(entry) + "\n")
                results.flush()
            show(entry)
    finally:
        stopping.set()
        pool.shutdown(cancel_futures=True)
        if arguments.seen: keep(arguments.seen)
        total = sum(count.values())
        print(f"==> {total} of {len(chosen)} looked at: " + ", ".join(f"{count[k]} {k}" for k in ("killed", "excused", "alive", "unreached")))
sys.exit(0 if count["killed"] + count["excused"] >= 0.97 * total else 1)
