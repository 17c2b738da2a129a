import Files
import StreamsTesting
import Testing

@testable import CommandOutput

@Suite("Races for an output's names, and runs that were killed")
struct OutputRaceTests {
    private func output(_ directory: PhotoDirectory) throws -> OutputDirectory {
        try OutputDirectory("\(directory.path)/out", record: ".test")
    }

    /// A result that is complete and noted, and about to get its name.
    private func prepared(_ content: [UInt8], for place: ResultPlace, in output: OutputDirectory) throws -> String {
        let unfinished = output.record.unfinishedName()
        try output.write(content, unfinished: unfinished, modified: nil, for: place.path)
        try output.record.willWrite(place.name, FileContent(content))
        return unfinished
    }

    /// One that is about to change places with an earlier result.
    private func swapped(_ content: [UInt8], for place: ResultPlace, in output: OutputDirectory) throws -> String {
        try output.record.willSwap(prepared(content, for: place, in: output), with: place.name)
    }

    @Test("What comes between the look at a free name and the result stays, and the result does not come")
    func taken() throws {
        let directory = try PhotoDirectory()
        let output = try output(directory)
        let place = try #require(try output.place("x", makesFolders: true))
        #expect(try !place.isTaken(output.record))
        let unfinished = try prepared([1], for: place, in: output)
        try directory.add("out/x", [9])
        #expect(throws: OutputError.occupied("\(directory.path)/out/x")) {
            try place.publish(unfinished, output.record)
        }
        #expect(try directory.bytes("out/x") == [9])
    }

    @Test(
        "What takes an earlier result's place between the look and the replacement comes back",
        arguments: [true, false])
    func replaced(atOnce: Bool) throws {
        let directory = try PhotoDirectory()
        let output = try output(directory)
        try output.write([1], as: "x")
        let place = try #require(try output.place("x", makesFolders: true))
        #expect(try place.isTaken(output.record))
        let swapped = try swapped([2], for: place, in: output)
        #expect(unlink(place.path) == 0)
        try directory.add("out/x", [9])
        let identity = FileIdentity(place.path)
        #expect(throws: OutputError.occupied(place.path)) {
            try place.replace(with: swapped, output.record, atOnce: atOnce)
        }
        #expect(FileIdentity(place.path) == identity)
        #expect(try directory.bytes("out/x") == [9])
        #expect(directory.files(below: "out") == [".test/record", "x"])
    }

    @Test(
        "A result is replaced, at once or in steps, and may be gone by then", arguments: [true, false], [true, false])
    func replacing(atOnce: Bool, isGone: Bool) throws {
        let directory = try PhotoDirectory()
        let output = try output(directory)
        try output.write([1], as: "x")
        let place = try #require(try output.place("x", makesFolders: true))
        let swapped = try swapped([2], for: place, in: output)
        if isGone { #expect(unlink(place.path) == 0) }
        try place.replace(with: swapped, output.record, atOnce: atOnce)
        #expect(try directory.bytes("out/x") == [2])
        #expect(directory.files(below: "out") == [".test/record", "x"])
    }

    @Test("A run killed after any step of a replacement leaves the old or the new, and somebody's file comes back")
    func killed() throws {
        for isForeign in [false, true] {
            for step in 0...3 {
                let directory = try PhotoDirectory()
                let found: [UInt8] = isForeign ? [9] : [1]
                do {
                    let output = try output(directory)
                    try output.write([1], as: "x")
                    let place = try #require(try output.place("x", makesFolders: true))
                    let swapped = try swapped([2], for: place, in: output)
                    try directory.add("out/x", found)
                    let record = "\(directory.path)/out/.test"
                    switch step {
                    case 0: break
                    case 1: #expect(place.exchange(swapped, output.record))
                    // Where the file system cannot do that at once.
                    case 2: #expect(rename(place.path, "\(record)/\(swapped)-aside") == 0)
                    default:
                        #expect(rename(place.path, "\(record)/\(swapped)-aside") == 0)
                        #expect(rename("\(record)/\(swapped)", place.path) == 0)
                    }
                }
                let next = try output(directory)
                #expect(directory.files(below: "out").filter { $0 != "x" } == [".test/record"])
                if isForeign {
                    #expect(try directory.bytes("out/x") == [9], "step \(step)")
                    #expect(throws: OutputError.occupied("\(directory.path)/out/x")) { try next.write([3], as: "x") }
                } else {
                    try next.write([3], as: "x")
                    #expect(try directory.bytes("out/x") == [3], "step \(step)")
                }
            }
        }
    }

    @Test("What changed places with a result and is remembered by nobody, after a power failure, stays")
    func forgotten() throws {
        let directory = try PhotoDirectory()
        do {
            let output = try output(directory)
            try output.write([1], as: "x")
            let place = try #require(try output.place("x", makesFolders: true))
            let before = try directory.bytes("out/.test/record")
            let swapped = try swapped([2], for: place, in: output)
            try directory.add("out/x", [9])
            #expect(place.exchange(swapped, output.record))
            try directory.add("out/.test/record", before)
        }
        let next = try output(directory)
        let kept = directory.files(below: "out").filter { $0.contains("swapped-") }
        #expect(try kept.map { try directory.bytes("out/\($0)") } == [[9]])
        withExtendedLifetime(next) {}
    }

    @Test("A record that is cut off or damaged anywhere costs no file and no run")
    func damaged() throws {
        let directory = try PhotoDirectory()
        for name in ["x", "y", "with space", "%", "d/z"] { try output(directory).write(Array(name.utf8), as: name) }
        let whole = try directory.bytes("out/.test/record")
        let header = Array("What was written here: SHA-256, bytes, name.\n".utf8)
        let damage = Gen { choices in
            var bytes = Array(whole[..<choices.int(in: header.count...whole.count)])
            for _ in 0..<choices.int(in: 0...4) where bytes.count > header.count {
                bytes[choices.int(in: header.count...bytes.count - 1)] = UInt8(choices.int(in: 0...255))
            }
            return bytes + choices.array(upTo: 20) { UInt8($0.int(in: 0...255)) }
        }
        try forAll("a damaged record", damage, cases: PropertySettings.cases ?? 300) { bytes in
            let directory = try PhotoDirectory()
            try directory.add("out/.test/record", bytes)
            try directory.add("out/x", Array("x".utf8))
            try directory.add("out/y", [9])
            let output = try output(directory)
            do throws(OutputError) {
                try output.write([1], as: "x")
            } catch .occupied {
                guard try directory.bytes("out/x") == Array("x".utf8) else { throw Disproof("x is lost") }
            }
            guard (try? output.write([2], as: "y")) == nil, try directory.bytes("out/y") == [9] else {
                throw Disproof("y is lost")
            }
            try output.write([3], as: "new")
            // Noted on a line of its own, whatever was before it.
            try self.output(directory).write([4], as: "new")
        }
    }

    @Test("A record that tells of a result as long as a disc does not have it read")
    func hugeResult() throws {
        let directory = try PhotoDirectory()
        let path = try output(directory).write([1], as: "x")
        let size = 1 << 42
        let line = "\nmade \(String(repeating: "0", count: 64)) \(size) x\n"
        try directory.add("out/.test/record", directory.bytes("out/.test/record") + line.utf8)
        #expect(truncate(path, off_t(size)) == 0)
        #expect(throws: OutputError.occupied(path)) { try output(directory).write([2], as: "x") }
        #expect(FileIdentity(path) != nil)
    }

    @Test("A half-written header is completed; half of something else is somebody's")
    func halfHeader() throws {
        for text in ["", "What", "What was written here: SHA-256, bytes, name."] {
            let directory = try PhotoDirectory()
            try directory.add("out/.test/record", Array(text.utf8))
            try output(directory).write([1], as: "x")
            try output(directory).write([2], as: "x")
            #expect(try directory.bytes("out/x") == [2])
        }
        let directory = try PhotoDirectory()
        try directory.add("out/.test/record", Array("Whatever".utf8))
        #expect(throws: OutputError.foreignRecord("\(directory.path)/out/.test")) { try output(directory) }
        #expect(try directory.bytes("out/.test/record") == Array("Whatever".utf8))
    }
}
