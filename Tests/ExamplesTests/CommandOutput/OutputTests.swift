import Files
import Testing

@testable import CommandOutput
@testable import load_image

@Suite("Results of load-image")
struct OutputTests {
    private func output(_ directory: PhotoDirectory, settings: String? = nil) throws -> OutputDirectory {
        try OutputDirectory("\(directory.path)/a/b", record: ".test", settings: settings)
    }

    @Test("Directories are made, results are written and take the place of earlier ones, and nothing else is left")
    func writing() throws {
        let directory = try PhotoDirectory()
        let path = try output(directory).write([1, 2, 3], as: "c/x.bin")
        #expect(path == "\(directory.path)/a/b/c/x.bin")
        #expect(try directory.bytes("a/b/c/x.bin") == [1, 2, 3])
        for content: [UInt8] in [[4], [4], []] {
            try output(directory).write(content, as: "c/x.bin")
            #expect(try directory.bytes("a/b/c/x.bin") == content)
        }
        #expect(directory.files(below: "a/b") == [".test/record", "c/x.bin"])
    }

    @Test("What cannot be written is a typed error with the path and the reason")
    func failing() throws {
        for path in ["/dev/null/x", "/dev/null"] {
            let error = #expect(throws: OutputError.self) { try OutputDirectory(path, record: ".test") }
            #expect(error?.description.contains(path) == true)
        }
        let directory = try PhotoDirectory()
        let output = try output(directory)
        for name in ["", "/", "..", "../x", "c/../x", "./x", "c//x", "/etc/x"] {
            #expect(throws: OutputError.self) { try output.write([1], as: name) }
        }
        #expect(directory.files(below: "") == ["a/b/.test/record"])
    }

    @Test("Runs that may be at work together see what the others have written; one that is to be alone is refused")
    func together() throws {
        let directory = try PhotoDirectory()
        let (one, other) = (try output(directory), try output(directory))
        try one.write([1], as: "x")
        try other.write([2], as: "x")
        try one.write([3], as: "x")
        #expect(try directory.bytes("a/b/x") == [3])
        #expect(throws: OutputError.busy("\(directory.path)/a/b")) { try output(directory, settings: "x") }
    }

    @Test("A result that did not get its name is none, whatever else there is that is as long")
    func lost() throws {
        let directory = try PhotoDirectory()
        let output = try output(directory, settings: "")
        let content = FileContent([1, 1])
        #expect(try output.record.willWrite(Array("x".utf8), content))
        #expect(output.isCurrent("x", size: 2))
        try output.record.didNotWrite(Array("x".utf8), content)
        #expect(!output.isCurrent("x", size: 2))
        output.unlock()
        #expect(try !self.output(directory, settings: "").isCurrent("x", size: 2))
    }

    @Test("What has a result's length is of these settings, and where others made as many bytes, its content tells")
    func current() throws {
        let directory = try PhotoDirectory()
        func write(_ content: [UInt8], _ settings: String) throws {
            try output(directory, settings: settings).write(content, as: "x")
        }
        func isCurrent(_ size: Int, _ settings: String) throws -> Bool {
            try output(directory, settings: settings).isCurrent("x", size: size)
        }
        try write([1, 1], "a %\n")
        #expect(try isCurrent(2, "a %\n"))
        #expect(try !isCurrent(3, "a %\n"))
        #expect(try !isCurrent(2, "b"))
        try write([2, 2], "b")
        #expect(try isCurrent(2, "b"))
        #expect(try !isCurrent(2, "a %\n"))
        // Noted by a run that was killed before it had its name.
        try output(directory, settings: "c").record.willWrite(Array("x".utf8), FileContent([3, 3]))
        #expect(try !isCurrent(2, "c"))
        // As others have made it.
        try write([2, 2], "c")
        #expect(try isCurrent(2, "c"))
        #expect(try !isCurrent(2, "b"))
    }

    @Test("Control characters of a name are told, and everything else as it is")
    func visible() {
        #expect(Console.visible("a\nb\u{1B}[0m\u{9B}é😀\\") == #"a\nb\u{1B}[0m\u{009B}é😀\"#)
    }

    @Test("Names come from the last component, without query and extension, and none comes twice")
    func names() {
        var names = OutputNames()
        let inputs = [
            "https://a.example/p/photo.jpg?width=3.5/2", "photo.png", "/x/photo", "https://a.example/", ".jpg",
            "a?b.jpg",
            // A mark that combines with the slash before it.
            "../\u{301}x.png",
        ]
        #expect(
            inputs.map { names.name(for: $0, size: 64, extension: "jpg") } == [
                "photo-64.jpg", "photo-64-2.jpg", "photo-64-3.jpg", "a-64.jpg", "image-64.jpg", "a?b-64.jpg",
                "\u{301}x-64.jpg",
            ])
    }

    @Test(
        "Bytes as people read them",
        arguments: [(0, "0 B"), (999, "999 B"), (1000, "1 KB"), (43_499, "43 KB"), (2_149_000, "2.1 MB")])
    func bytes(count: Int, text: String) {
        #expect(count.asBytes == text)
    }
}
