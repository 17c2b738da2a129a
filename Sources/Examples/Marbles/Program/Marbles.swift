import ArgumentParser
import CommandOutput
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

    func validate() throws { try Arguments.requireText() }

    func run() throws {
        if let write { return try DocumentedDiagrams(in: write).write(Catalogue.diagrams) }
        let chosen = Catalogue.diagrams.filter { all || operators.contains($0.name) }
        if let unknown = operators.first(where: { name in !Catalogue.diagrams.contains { $0.name == name } }) {
            throw ValidationError(
                "There is no diagram of \(unknown). Without arguments, all are listed; a new one goes into Catalogue.")
        }
        if chosen.isEmpty {
            print(Set(Catalogue.diagrams.map(\.name)).sorted().joined(separator: " "))
            return
        }
        let pictures = try svg.map { try OutputDirectory($0, record: ".marbles") }
        for (number, diagram) in chosen.enumerated() {
            let chart = diagram.drawn()
            if let pictures {
                let picture = Array(chart.svg(title: diagram.name).utf8)
                print(try pictures.write(picture, as: "\(diagram.name)-\(diagram.file)-\(number).svg"))
            } else {
                print("\(diagram.name)\n\n\(chart)\n")
            }
        }
    }
}
