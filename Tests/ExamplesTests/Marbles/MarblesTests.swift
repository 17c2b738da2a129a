import MarbleCatalogue
import Testing

@Suite("marbles")
struct MarblesTests {
    private static let sources =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        + "/Sources/Streams"

    @Test("Each diagram in the doc comments of operators is what happens (swift run marbles --write Sources/Streams)")
    func documented() throws {
        let places = try DocumentedDiagrams(in: Self.sources).places
        #expect(places.count > 100)
        for diagram in Catalogue.diagrams {
            let isThere = places.contains { ($0.file, $0.name) == (diagram.file, diagram.name) }
            #expect(isThere, "\(diagram.file).swift: no doc comment shows the diagram of \(diagram.name)")
        }
        for (place, diagram) in DocumentedDiagrams.pairs(places, Catalogue.diagrams) {
            guard let diagram else {
                Issue.record(
                    "\(place.file).swift:\(place.lines.lowerBound + 1): \(place.name) has no diagram in Sources/Examples/Marbles/Catalogue"
                )
                continue
            }
            #expect(place.text == "\(diagram.drawn())", "\(place.file).swift:\(place.lines.lowerBound + 1)")
        }
    }

    @Test("A picture has a disc for each value and a bar for the finish")
    func svg() throws {
        let map = try #require(Catalogue.diagrams.first { $0.name == "map" })
        let svg = map.drawn().svg(title: "map")
        #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
        #expect(svg.components(separatedBy: "class=\"value\"").count == 1 + 6)
        #expect(svg.components(separatedBy: "class=\"end\"").count == 1 + 2)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
