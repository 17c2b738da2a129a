import Glibc

// bench-streams [--json FILE] [--only SUBJECT] [PART OF A CASE'S NAME]…
//
// --only is for a profiler: it leaves the other subjects out.

var names = Array(CommandLine.arguments.dropFirst())

@MainActor func option(_ name: String) -> String? {
    guard let index = names.firstIndex(of: name), index + 1 < names.count else { return nil }
    defer { names.removeSubrange(index...(index + 1)) }
    return names[index + 1]
}

let file = option("--json")
let only = option("--only")
let cases =
    synchronousCases() + subjectCases() + flatteningCases() + subscriptionCases() + schedulingCases()
    + depthCases() + steadyStateCases()
var report = Report()
for var item in cases where names.isEmpty || names.contains(where: item.name.contains) {
    if let only { item.subjects.removeAll { $0.name != only } }
    if !item.subjects.isEmpty { report.add(item.name, item.measured()) }
}
if let file, !report.write(to: file) {
    print("bench-streams: cannot write \(file)")
    exit(1)
}
