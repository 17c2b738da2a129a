import ImageCodecs
import TestSupport
import Testing

@Suite("Restart markers")
struct RestartTests {
    /// A file with many of them. Progressive ones are large enough for the entropy decoder here.
    private func file(
        isProgressive: Bool, using generator: inout SeededGenerator
    ) throws -> (bytes: [UInt8], settings: String) {
        let sides = isProgressive ? 257...300 : 60...120
        while true {
            let file = try RandomJPEG.file(
                width: sides, height: sides, isProgressive: isProgressive, using: &generator)
            if Self.markers(file.bytes).count > 20 { return file }
        }
    }

    /// Where restart markers are.
    private static func markers(_ file: [UInt8]) -> [Int] {
        file.indices.dropLast().filter { file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1]) }
    }

    @Test(
        "Those of numbers far from the right ones, which every viewer passes over, cost no pixel",
        arguments: [false, true])
    func wrongNumbers(isProgressive: Bool) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<(isProgressive ? 4 : 12) {
            let (bytes, settings) = try file(isProgressive: isProgressive, using: &generator)
            var damaged = bytes
            for at in Self.markers(bytes) where Int.random(in: 0..<3, using: &generator) == 0 {
                // One or two from the right number, libjpeg takes them for others that are missing.
                damaged[at + 1] = 0xD0 | (damaged[at + 1] &+ UInt8.random(in: 3...5, using: &generator)) & 7
            }
            for scale: Int32 in [1, 2, 4, 8] {
                let expected = try #require(ScaledDecode(reference: bytes, scale: scale))
                let isEqual = ScaledDecode(damaged, scale: scale, chunk: 100) == expected
                #expect(isEqual, "scale \(scale), \(settings), seed \(seed)")
            }
            #expect(try Image.decode(damaged) == Image.decode(bytes), "\(settings), seed \(seed)")
        }
    }

    @Test(
        "Where some are wrong, missing or too many, the picture is libjpeg's, or refused if libjpeg says that pixels are lost",
        arguments: [false, true])
    func damaged(isProgressive: Bool) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<(isProgressive ? 12 : 60) {
            var (bytes, settings) = try file(isProgressive: isProgressive, using: &generator)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                guard let at = Self.markers(bytes).randomElement(using: &generator) else { continue }
                let number = UInt8.random(in: 0...7, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.removeSubrange(at..<(at + 2))
                case 1: bytes.insert(contentsOf: [0xFF, 0xD0 | number], at: at)
                case 2: bytes.removeSubrange(at..<min(bytes.count - 2, at + 2 + Int(number) * 10))
                default: bytes[at + 1] = 0xD0 | number
                }
            }
            for scale: Int32 in [1, 8] {
                let expected = ScaledDecode(reference: bytes, scale: scale)
                let isEqual = ScaledDecode(bytes, scale: scale, chunk: 300) == expected
                #expect(isEqual, "scale \(scale), \(settings), seed \(seed)")
            }
        }
    }

    @Test("A picture of which an interval is missing is refused as corrupt, in whatever coding")
    func missing() throws {
        var generator = SeededGenerator()
        let (bytes, _) = try file(isProgressive: false, using: &generator)
        let markers = Self.markers(bytes)
        var damaged = bytes
        damaged.removeSubrange(markers[4]..<markers[5])
        do {
            _ = try Image.decode(damaged, options: .refusing)
            Issue.record("not refused, seed \(generator.seed)")
        } catch {
            guard case .corrupt = error else {
                Issue.record("\(error), seed \(generator.seed)")
                return
            }
        }
    }
}
