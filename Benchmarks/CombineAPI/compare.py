"""Compares the public declarations of OpenCombine with those of Streams: types, members, conformances, and the number of overloads
of each name; see scripts/combine-api. What is left out stands in a table of the article Differences, with its reason."""

import collections
import fnmatch
import glob
import json
import re
import sys

ours_folder, theirs_folder, article = sys.argv[1:]
# What every publisher has by its protocol, and every type that is Strideable, Numeric or an AsyncSequence by its own.
INHERITED = {"Output", "Failure", "receive(subscriber:)", "upstream", "AsyncIterator", "Element", "Magnitude", "FloatLiteralType",
             "IntegerLiteralType", "init(from:)", "encode(to:)", "!=(_:_:)", "<=(_:_:)", ">=(_:_:)"}
# What OpenCombine's OCombine structures wrap, which stand where Combine extends the type itself.
WRAPPED = {"init(_:)", "queue", "runLoop", "center", "session"}
# What types have unless they say that they do not.
IMPLICIT = {"Copyable", "Escapable"}


class Module:
    """A module's declarations by path, its conformances, and what its type aliases stand for."""

    def __init__(self, folder):
        self.counts, self.conformances, self.aliases = collections.Counter(), collections.defaultdict(set), {}
        graphs = []
        for path in glob.glob(f"{folder}/*.symbols.json"):
            with open(path) as file: graphs.append(json.load(file))
        by_id, spelled = {}, collections.Counter()
        for symbol in (symbol for graph in graphs for symbol in graph["symbols"]):
            # OpenCombine's Optional.OCombine.Publisher is Combine's Optional.Publisher.
            path = tuple(part for part in symbol["pathComponents"] if part != "OCombine")
            if symbol["pathComponents"][-1] in ("OCombine", "ocombine"): continue
            if "OCombine" in symbol["pathComponents"][-2:-1] and path[-1] in WRAPPED: continue
            by_id[symbol["identifier"]["precise"]] = path
            spelled[tuple(symbol["pathComponents"])] += 1
            self.counts[path] = max(self.counts[path], spelled[tuple(symbol["pathComponents"])])
            if symbol["kind"]["identifier"] == "swift.typealias": self.aliases[path] = self.target(symbol)
        for relationship in (relationship for graph in graphs for relationship in graph["relationships"]):
            if relationship["kind"] != "conformsTo" or relationship["source"] not in by_id: continue
            fallback = (relationship.get("targetFallback", "").split(".")[-1],)
            self.conformances[by_id[relationship["source"]]].add(by_id.get(relationship["target"], fallback)[-1])

    @staticmethod
    def target(symbol):
        """The name of the type that an alias stands for, without its parameters."""
        declaration = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
        return tuple(re.match(r"[\w.]*", declaration.split(" = ", 1)[-1]).group().split("."))

    def resolved(self, path):
        """A path without aliases of types in it."""
        for end in range(1, len(path) + 1):
            if target := self.aliases.get(path[:end]):
                return self.resolved((target if target in self.counts else path[:end - 1] + target) + path[end:])
        return path


ours, theirs = Module(ours_folder), Module(theirs_folder)


def has(path):
    """Whether Streams has it: by that name, by a protocol, or as the operator that any publisher has."""
    if path in ours.counts: return True
    parent, name = ours.resolved(path[:-1]), path[-1]
    return parent in ours.counts and (parent + (name,) in ours.counts or name in INHERITED or ("Publisher", name) in ours.counts)


missing = [".".join(path) for path in theirs.counts if not has(path)]
for path, count in theirs.counts.items():
    if 0 < ours.counts[path] < count: missing.append(f"{'.'.join(path)} overload")
conformances = 0
for path, protocols in theirs.conformances.items():
    if path not in ours.counts: continue
    conformances += len(protocols - IMPLICIT)
    mine = ours.conformances[path] | ours.conformances[ours.resolved(path)] | IMPLICIT
    missing += [f"{'.'.join(path)}: {protocol}" for protocol in protocols - mine]
missing.sort()

with open(article) as file: reasons = re.findall(r"^\| `([^`]+)` \|", file.read().split("### Declarations", 1)[1], re.MULTILINE)
unused = [pattern for pattern in reasons if not fnmatch.filter(missing, pattern)]
unexplained = [path for path in missing if not any(fnmatch.fnmatchcase(path, pattern) for pattern in reasons)]

print(f"{len(theirs.counts)} declarations and {conformances} conformances of OpenCombine: all are there but {len(missing) - len(unexplained)}, "
      f"which are left out for {len(reasons)} reasons.")
for path in unexplained: print(f"combine-api: {path} is missing, and not in {article}", file=sys.stderr)
for pattern in unused: print(f"combine-api: nothing is left out as {pattern}", file=sys.stderr)
sys.exit(1 if unexplained or unused else 0)
