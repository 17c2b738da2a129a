"""Compiles random chains with Streams and with OpenCombine; see scripts/compile-fuzz."""

import argparse
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import chains
from compiling import CHECK, DEBUG, FAST, Library, Timing

# The goal: type-checking beside OpenCombine's, at the median and at the 95th percentile.
ALLOWED = 1.1


def measure(number, chain, ours, peer, peer_optimizes):
    """How both libraries do with a chain. Type-checking is timed in turns with that of a file without it, so that all four meet the
    same moments of the machine."""
    checks = {ours: Timing(), peer: Timing()}
    if not peer.has(chain): checks[peer].outcome = "missing"
    for _ in range(4):
        for library, timing in checks.items():
            if timing.worth_repeating:
                timing.add(library.compile(number, chain, CHECK, idle=0), library.idle_now(number, CHECK))
    mine, theirs = checks[ours], checks[peer]
    fast = debug = peer_fast = None
    if mine.outcome == "ok":
        debug = ours.compile(number, chain, DEBUG)
        fast = ours.compile(number, chain, FAST)
        for result in (debug, fast):
            if result.outcome != "ok": mine.outcome, mine.message = result.outcome, result.message
    if theirs.outcome == "ok" and peer_optimizes: peer_fast = peer.compile(number, chain, FAST)
    return chain, mine, theirs, fast, peer_fast


def shrink(library, chain, outcome, seconds):
    """The smallest chain found in that time that fails alike."""
    deadline = time.monotonic() + seconds
    smaller = True
    while smaller:
        smaller = False
        for candidate in chain.shorter():
            if time.monotonic() > deadline: return chain
            modes = (CHECK,) if outcome in ("error", "too complex") else (CHECK, DEBUG, FAST)
            if any(library.compile("shrunk", candidate, mode).outcome == outcome for mode in modes):
                chain, smaller = candidate, True
                break
    return chain


def is_hopeless(result):
    """Whether the type checker gives a chain up, or takes more than its time, and OpenCombine gets no further: counted, and no failure."""
    _, mine, theirs, fast, _ = result
    return fast is None and mine.outcome in ("too complex", "timeout") and theirs.outcome != "ok"


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def rows(results):
    """What goes into the JSON file. A chain that OpenCombine has not got the operators for is no row of its own."""
    for chain, mine, theirs, fast, peer_fast in results:
        for subject, check, optimized in (("Streams", mine, fast), ("OpenCombine", theirs, peer_fast)):
            if subject == "Streams" or check.outcome not in ("missing", "error"):
                yield {"chain": chain.text, "subject": subject, "typecheck_ms": round(check.milliseconds, 1),
                       "optimized_ms": round(optimized.milliseconds, 1) if optimized else None, "outcome": check.outcome}


def report(results, libraries):
    """Prints the table; returns the goals that are missed."""
    mine = [result[1].milliseconds for result in results]
    both = [(ours.milliseconds, peer.milliseconds) for _, ours, peer, _, _ in results if ours.outcome == peer.outcome == "ok"]
    fast = [(ours.milliseconds, peer.milliseconds) for *_, ours, peer in results if ours and peer]
    lone = [result[3].milliseconds for result in results if result[3]]
    print("\nMilliseconds of processor time beyond that of a file without a chain     median    95 %     most")

    def line(title, values):
        if values: print(f"{title:<72}{percentile(values, .5):7.0f} {percentile(values, .95):7.0f}  {max(values):7.0f}")

    line(f"Streams, type-checking, all {len(mine)} chains", mine)
    line(f"Streams, type-checking, the {len(both)} that OpenCombine can express", [ours for ours, _ in both])
    line("OpenCombine, type-checking, those", [peer for _, peer in both])
    line(f"Streams, -O, all {len(lone)}", lone)
    line(f"Streams, -O, the {len(fast)} that OpenCombine was compiled for", [ours for ours, _ in fast])
    line("OpenCombine, -O, those", [peer for _, peer in fast])

    for library in libraries: print(f"{f'Importing {library.name}, once a file':<72}{library.importing:7.0f}")

    missed = []
    for title, share in (("median", .5), ("95th percentile", .95)):
        ours, peer = (percentile([pair[side] for pair in both], share) for side in (0, 1))
        if peer: print(f"Type-checking, {title}: {ours / peer:.2f} × OpenCombine's (goal: at most {ALLOWED})")
        if peer and ours > ALLOWED * peer: missed.append(f"type-checking takes {ours / peer:.2f} × OpenCombine's at the {title}")
    hopeless = sum(map(is_hopeless, results))
    if hopeless: print(f"{hopeless} chains are too complex for the type checker, and OpenCombine's are or it has not got the operators.")
    beaten = sum(ours.outcome == "ok" and peer.outcome in ("too complex", "timeout") for _, ours, peer, _, _ in results)
    if beaten: print(f"OpenCombine does not type-check {beaten} chains in reasonable time that Streams does.")
    return missed


def main():
    parser = argparse.ArgumentParser(prog="scripts/compile-fuzz")
    parser.add_argument("--chains", type=int, default=500, help="how many")
    parser.add_argument("--seed", default="1", help="the same chains again")
    parser.add_argument("--first", type=int, default=0, help="the number of the first chain: to compile one of a seed again")
    parser.add_argument("--quick", action="store_true", help="40 chains, OpenCombine's not optimised")
    parser.add_argument("--swift-version", default="6", help="the clients' language mode")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sources", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--opencombine", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--json", required=True, help=argparse.SUPPRESS)
    given = parser.parse_args()
    count = 40 if given.quick else given.chains

    with tempfile.TemporaryDirectory() as folder:
        print("==> Building the modules")
        ours = Library("Streams", f"{given.sources}/Streams", f"{given.sources}/CThread", folder, "6", given.swift_version)
        peer = Library("OpenCombine", f"{given.opencombine}/OpenCombine", f"{given.opencombine}/COpenCombineHelpers", folder, "5",
                       given.swift_version)
        print(f"==> {len(chains.FIXED)} chains of reports and {count} random ones, seed {given.seed}, Swift {given.swift_version} mode")
        made = chains.FIXED + [chains.make(given.seed, given.first + index) for index in range(count)]
        results, failed = [], []
        with ThreadPoolExecutor(given.jobs) as pool:
            for result in pool.map(lambda entry: measure(*entry, ours, peer, peer_optimizes=not given.quick), enumerate(made)):
                chain, mine, theirs, *_ = result
                number = given.first + len(results) - len(chains.FIXED)
                results.append(result)
                if mine.outcome == "ok": continue
                where = f"chain {number} of seed {given.seed}" if len(results) > len(chains.FIXED) else "a chain of the reports"
                print(f"\n{where}: {mine.outcome}; type-checking {mine.milliseconds:.0f} ms (OpenCombine: {theirs.outcome})\n    {chain.text}",
                      flush=True)
                for text in mine.message: print(f"    {text}")
                if is_hopeless(result): continue
                failed.append(f"{where}: {mine.outcome}")
                print(f"  shrunk:\n    {shrink(ours, chain, mine.outcome, 20 if given.quick else 120).text}", flush=True)
        os.makedirs(os.path.dirname(given.json), exist_ok=True)
        with open(given.json, "w") as file: json.dump(list(rows(results)), file, indent=1, ensure_ascii=False)
    missed = report(results, (ours, peer))
    for miss in failed + missed: print(f"compile-fuzz: {miss}", file=sys.stderr)
    sys.exit(1 if failed or missed else 0)


if __name__ == "__main__": main()
