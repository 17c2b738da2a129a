"""A copy of a package with faults in it, all asleep: copies it, has the mutator write them, and builds with all that compile."""

import json, os, pathlib, re, subprocess, sys


def identity(fault): return tuple(fault[k] for k in ("module", "file", "function", "kind", "code", "nth"))


def read(path):
    return [json.loads(line) for line in open(path) if line.strip()] if path and path.exists() else []


class Place:
    """A module that faults are planted into, and the tests that are to find them."""
    def __init__(self, text, source, package, preludes):
        place, _, tests = text.partition("=")
        self.target, *self.folders = place.replace(",", "/").split("/")
        self.tests = tests.split(",") if tests else []
        self.sources = source / "Sources" / self.target
        self.planted = package / "Sources" / self.target
        self.prelude = next(([x for x in ("--prelude", p)] for t, p in preludes if t == self.target), [])


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


class Planting:
    def __init__(self, mutator, source, work, places, preludes):
        self.mutator, self.source, self.work = mutator, source, work
        self.package = work / "package"
        self.wrapper = os.environ.get("MUTANTS_WRAPPER", "").split()
        self.places = [Place(text, source, self.package, preludes) for text in places]

    def copy(self):
        """Copies the package, but for the sources that faults go into; what did not change is not built again."""
        self.package.mkdir(parents=True, exist_ok=True)
        planted = {str(p.sources.relative_to(self.source)) for p in self.places}
        kept = {self.package / "Package.swift"}
        for folder, folders, files in os.walk(self.source):
            inside = os.path.relpath(folder, self.source)
            folders[:] = [f for f in folders if not f.startswith((".build", ".git")) and f != "__pycache__"]
            for name in files:
                source, copied = pathlib.Path(folder, name), self.package / inside / name
                kept.add(copied)
                if name.endswith(".swift") and any(inside == p or inside.startswith(p + "/") for p in planted): continue
                text = source.read_bytes()
                tests = sorted({test for place in self.places for test in place.tests})
                if inside == "." and name == "Package.swift" and tests:
                    text += (ONLY % json.dumps(tests)).encode()
                if copied.exists() and copied.read_bytes() == text: continue
                copied.parent.mkdir(parents=True, exist_ok=True)
                copied.write_bytes(text)
                copied.chmod(source.stat().st_mode)
        kept |= {p.planted / "Mutants.swift" for p in self.places}
        for root in ("Sources", "Tests"):
            for path in (self.package / root).rglob("*"):
                if path.is_file() and path not in kept: path.unlink()

    def plant(self, dropped, elsewhere=None):
        """Writes the sources with all faults but those dropped, or a copy that is not built; returns the faults by number."""
        faults = {}
        for place in self.places:
            (self.work / "without").write_text("\n".join(map(str, sorted(dropped))))
            subprocess.run([self.mutator, place.sources, elsewhere or place.planted, self.work / "faults.jsonl", "--first", str(len(faults)),
                            "--without", self.work / "without"] + place.prelude + place.folders, check=True)
            for line in open(self.work / "faults.jsonl"):
                fault = json.loads(line)
                faults[fault["number"]] = dict(fault, module=place.target)
        return faults

    def build(self):
        """Builds with all faults that compile; returns them by number."""
        # What did not compile once does not now.
        refused = self.work / "refused.jsonl"
        before = {identity(fault) for fault in read(refused)}
        dropped = {number for number, fault in self.plant(set(), self.work / "unplanted").items() if identity(fault) in before} if before else set()
        for attempt in range(20):
            faults = self.plant(dropped)
            refused.write_text("".join(json.dumps(faults[number]) + "\n" for number in sorted(dropped)))
            print(f"==> Building with {len(faults) - len(dropped)} faults, all asleep", flush=True)
            built = subprocess.run(
                self.wrapper + ["swift", "build", "--package-path", self.package, "--build-tests", "-Xswiftc", "-suppress-warnings",
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
