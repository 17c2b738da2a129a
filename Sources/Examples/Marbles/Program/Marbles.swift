import ArgumentParser
import FoundationEssentials
import MarbleCatalogue

/// Runs operators on virtual time and draws what happens.
@main
struct Marbles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marbles", abstract: "Runs operators on virtual time and draws what happens.",
        discussion: """
            Examples:
              swift run marbles zip
              swift run marbles --all --svg DIR
              swift run marbles --write Sources/Streams    puts the diagrams into the doc comments
            """)

    @Argument(help: "Operators; without any, what there is is listed.")
    var operators: [String] = []

    @Flag(help: "Every operator.")
    var all = false

    @Option(help: "A folder for the diagrams as pictures, made if it isn't there.")
    var svg: String?

    @Option(help: "A folder of sources whose doc comments get the diagrams of their operators.")
    var write: String?

    func run() throws {
        if let write { return try DocumentedDiagrams(in: write).write(Catalogue.diagrams) }
        let chosen = Catalogue.diagrams.filter { all || operators.contains($0.name) }
        if let unknown = operators.first(where: { name in !Catalogue.diagrams.contains { $0.name == name } }) {
            throw ValidationError("There is no diagram of \(unknown). Without arguments, all are listed.")
        }
        if chosen.isEmpty {
            print(Set(Catalogue.diagrams.map(\.name)).sorted().joined(separator: " "))
            return
        }
        if let svg { try FileManager.default.createDirectory(atPath: svg, withIntermediateDirectories: true) }
        for (number, diagram) in chosen.enumerated() {
            let chart = diagram.drawn()
            if let svg {
                let path = "\(svg)/\(diagram.name)-\(diagram.file)-\(number).svg"
                try chart.svg(title: diagram.name).write(toFile: path, atomically: true, encoding: .utf8)
                print(path)
            } else {
                print("\(diagram.name)\n\n\(chart)\n")
            }
        }
    }
}
