import Testing

@testable import CommandOutput
@testable import load_image

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Results of load-image")
struct OutputTests {
    /// A directory of its own for a test, which removes what it wrote.
    private let root = "/tmp/load-image-test-\(getpid())-\(UInt32.random(in: .min ... .max))"

    private func contents(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    @Test("Directories are made, files are written and replaced, and nothing else is left")
    func writing() throws {
        let output = try OutputDirectory("\(root)/a/b")
        _ = try OutputDirectory("\(root)/a/b")
        let path = try output.write([1, 2, 3], as: "x.bin")
        #expect(path == "\(root)/a/b/x.bin")
        #expect(contents(path) == [1, 2, 3])
        try output.write([4], as: "x.bin")
        #expect(contents(path) == [4])
        #expect(unlink(path) == 0)
        // rmdir succeeds only on what is empty.
        for place in ["\(root)/a/b", "\(root)/a", root] { #expect(rmdir(place) == 0) }
    }

    @Test("What cannot be written is a typed error with the path and the reason")
    func failing() throws {
        let error = #expect(throws: OutputError.self) { try OutputDirectory("/dev/null/x") }
        #expect(error?.code == ENOTDIR)
        #expect(error?.description.contains("/dev/null/x") == true)
        #expect(throws: OutputError.self) { try OutputDirectory("/dev/null") }
        let output = try OutputDirectory(root)
        #expect(throws: OutputError.self) { try output.write([1], as: "no/such/place") }
        #expect(rmdir(root) == 0)
    }

    @Test("What a killed run of the same process number left behind is in nobody's way")
    func leftovers() throws {
        let output = try OutputDirectory(root)
        let left = (0..<2_000).map { "\(root)/\(OutputDirectory.temporaryPrefix)\(getpid())-\($0)" }
        for path in left { close(open(path, O_CREAT | O_WRONLY, 0o600)) }
        let path = try output.write([1], as: "x")
        #expect(contents(path) == [1])
        for path in left + [path] { unlink(path) }
        #expect(rmdir(root) == 0)
    }

    @Test("Names come from the last component, without query and extension, and none comes twice")
    func names() {
        var names = OutputNames()
        let inputs = [
            "https://a.example/p/photo.jpg?width=3.5/2", "photo.png", "/x/photo", "https://a.example/", ".jpg",
            "a?b.jpg",
        ]
        #expect(
            inputs.map { names.name(for: $0, size: 64, extension: "jpg") } == [
                "photo-64.jpg", "photo-64-2.jpg", "photo-64-3.jpg", "a-64.jpg", "image-64.jpg", "a?b-64.jpg",
            ])
    }

    @Test(
        "Bytes as people read them",
        arguments: [(0, "0 B"), (999, "999 B"), (1000, "1 KB"), (43_499, "43 KB"), (2_149_000, "2.1 MB")])
    func bytes(count: Int, text: String) {
        #expect(count.asBytes == text)
    }
}
