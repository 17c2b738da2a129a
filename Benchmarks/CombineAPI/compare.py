"""Compares the public declarations of OpenCombine with those of Streams; see scripts/combine-api."""

import fnmatch
import glob
import json
import sys

ours_folder, theirs_folder, list_path = sys.argv[1:]
# What every publisher has by its protocol, and every type that is Strideable, Numeric or an AsyncSequence by its own.
INHERITED = {"Output", "Failure", "receive(subscriber:)", "upstream", "AsyncIterator", "Element", "Magnitude", "FloatLiteralType",
             "IntegerLiteralType", "init(from:)", "encode(to:)", "!=(_:_:)", "<=(_:_:)", ">=(_:_:)"}


def declarations(folder):
    found = set()
    for path in glob.glob(f"{folder}/*.symbols.json"):
        with open(path) as file:
            found.update(tuple(symbol["pathComponents"]) for symbol in json.load(file)["symbols"])
    return found


def has(path):
    """Whether Streams has it: by that name, by a protocol, or as the operator that any publisher has."""
    if path in ours: return True
    parent, name = path[:-1], path[-1]
    return bool(parent) and parent in ours and (name in INHERITED or ("Publisher", name) in ours)


ours, theirs = declarations(ours_folder), declarations(theirs_folder)
renamed = {tuple(part for part in path if part != "OCombine") for path in theirs if path[-1] not in ("OCombine", "ocombine")}
missing = sorted(".".join(path) for path in renamed if not has(path))

reasons = []
with open(list_path) as file:
    for line in file:
        if line.strip() and not line.startswith("#"): reasons.append(line.split(" — ")[0].strip())
unused = [pattern for pattern in reasons if not fnmatch.filter(missing, pattern)]
unexplained = [path for path in missing if not any(fnmatch.fnmatchcase(path, pattern) for pattern in reasons)]

print(f"{len(renamed)} declarations of OpenCombine: {len(renamed) - len(missing)} are there, {len(missing) - len(unexplained)} are left out "
      f"for {len(reasons)} reasons.")
for path in unexplained: print(f"combine-api: {path} is missing, and not in {list_path}", file=sys.stderr)
for pattern in unused: print(f"combine-api: nothing is left out as {pattern}", file=sys.stderr)
sys.exit(1 if unexplained or unused else 0)
