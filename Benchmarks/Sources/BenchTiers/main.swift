import Glibc

// bench-tiers [--json FILE] [memory | traces | disk …]: all cases, or those named. Ends with 1 where a goal is missed.
var arguments = Array(CommandLine.arguments.dropFirst())
var json: String?
if arguments.first == "--json", arguments.count > 1 {
    json = arguments[1]
    arguments.removeFirst(2)
}
let cases: [(name: String, run: (inout Report) throws -> Void)] = [
    ("memory", MemoryCases.run), ("traces", TraceCases.run), ("disk", DiskCases.run), ("local", LocalLoadCases.run),
]
for argument in arguments where !cases.contains(where: { $0.name == argument }) {
    print("bench-tiers: there is no case called \(argument)")
    exit(2)
}
var report = Report()
do {
    for item in cases where arguments.isEmpty || arguments.contains(item.name) { try item.run(&report) }
    if let json { try report.write(to: json) }
} catch {
    print("bench-tiers: \(error)")
    exit(2)
}
print("\n\(report.missed == 0 ? "Every goal is met." : "\(report.missed) goals are missed.")")
exit(report.missed == 0 ? 0 : 1)
