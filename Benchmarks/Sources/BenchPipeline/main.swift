import BenchPictures
import Glibc

// bench-pipeline JSON SCRATCH PHOTOS [WORDS…]
//
// The costs and savings of the pipeline's decorators: one table, and JSON. Ends with 1 when a goal is missed.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else {
    print("usage: bench-pipeline JSON SCRATCH PHOTOS [WORDS…]")
    exit(2)
}
let cases: (Scenes) -> [(name: String, run: () throws -> [Row])] = { scenes in
    [
        ("overheads", Overheads.rows), ("sizes", scenes.sizes), ("fairness", scenes.fairness),
        ("visible", scenes.visible), ("profile", scenes.profile), ("leaving", scenes.leaving),
    ]
}
do {
    let words = arguments.dropFirst(3)
    var rows: [Row] = []
    let scenes = try Scenes(Photos(in: arguments[2], scratch: arguments[1]), scratch: arguments[1])
    for (name, run) in cases(scenes) where words.isEmpty || words.contains(name) {
        for row in try run() {
            rows.append(row)
            let goal = row.goal.map { "  goal \($0)\(row.isMissed ? ": MISSED" : "")" } ?? ""
            print("\(row.name): \(row.subject): \((row.value * 1_000).rounded() / 1_000) \(row.unit)\(goal)")
        }
    }
    let json = "[\n" + rows.map { "  " + $0.json }.joined(separator: ",\n") + "\n]\n"
    guard let file = fopen(arguments[0], "w") else {
        print("bench-pipeline: \(arguments[0]) cannot be written")
        exit(1)
    }
    fputs(json, file)
    fclose(file)
    if rows.contains(where: \.isMissed) { exit(1) }
} catch {
    print("bench-pipeline: \(error)")
    exit(1)
}
