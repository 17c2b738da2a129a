import Files
import ImageCodecs
import TestSupport
import Testing

@Suite("Bombs")
struct BombTests {
    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "wb"))
        defer { fclose(file) }
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    /// Kilobytes of memory, milliseconds and outcome, by a process that does nothing else.
    private func decode(_ path: String) throws -> (memory: Int, milliseconds: Int, outcome: String) {
        let text = try ChildProcess("decode-file", [path]).readOutput()
        let words = text.split(separator: " ", maxSplits: 2)
        try #require(words.count == 3, "\(text)")
        return (
            try #require(Int(words[0])), try #require(Int(words[1])),
            String(words[2].prefix { $0 != "\n" })
        )
    }

    @Test("Small files that ask for much are refused or bounded, in a few megabytes")
    func bombs() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/file"
        for bomb in try Bomb.all() {
            try write(bomb.bytes, to: path)
            let (memory, milliseconds, outcome) = try decode(path)
            print("\(bomb.name): \(milliseconds) ms, \(memory) KB: \(outcome)")
            #expect(memory < 16_000 || Sanitizer.isWatching, "\(bomb.name): \(outcome)")
            if let limit = bomb.limit {
                do throws(DecodeError) {
                    _ = try Image.decode(bomb.bytes, options: DecodeOptions(as: .fit(PixelSize(width: 9, height: 9))))
                    Issue.record("\(bomb.name) is not refused")
                } catch {
                    guard case .limitExceeded(limit, _, _, _) = error else {
                        Issue.record("\(bomb.name): \(error)")
                        continue
                    }
                }
            }
        }
    }

    /// Swift's arrays end the process where there is no memory for them.
    @Test(
        "Where the system has not the memory for a picture, the decode fails with that, and the process goes on",
        .disabled(if: Sanitizer.isWatching))
    func scarceMemory() throws {
        let directory = TemporaryDirectory()
        let image = try #require(
            Image(
                size: PixelSize(width: 1_600, height: 1_200), format: .rgb8,
                bytes: (0..<1_600 * 1_200 * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 9) }))
        // Next to nothing is left where all is taken from one heap.
        let heap = "glibc.malloc.mmap_threshold=33554432"
        for (name, encoding, side, settings) in [
            ("baseline", ImageEncoding.jpeg(quality: 80), 1_600, ""),
            ("progressive", .jpeg(quality: 80, progressive: true), 1_600, ""),
            ("progressive, from the heap", .jpeg(quality: 80, progressive: true), 1_600, heap),
            ("progressive, reduced", .jpeg(quality: 80, progressive: true), 100, heap),
            ("PNG", .png(), 1_600, ""),
        ] {
            let path = "\(directory.path)/file"
            try write(try image.encoded(as: encoding), to: path)
            var outcomes: Set<String> = []
            for spare in stride(from: 1_024, through: 24_576, by: 512) {
                let text = try ChildProcess(
                    path: "/usr/bin/env",
                    ["GLIBC_TUNABLES=\(settings)", ChildProcess.path(of: "decode-file"), path, "\(side)", "\(spare)"]
                ).readOutput()
                let outcome = text.split(separator: " ", maxSplits: 2).last.map(String.init) ?? ""
                let isOut = outcome.hasPrefix("out of memory")
                #expect(isOut || outcome.contains("\(side)"), "\(name), \(spare) KB: \(text)")
                outcomes.insert(isOut ? "out" : "image")
            }
            #expect(outcomes == ["out", "image"], "\(name)")
        }
    }

    @Test("Every file of the corpora ends in an image or an error within 64 MB", .enabled(if: SharedImages.areThere))
    func corpora() throws {
        let folder = try #require(SharedImages.folder?.path)
        var most = (memory: 0, name: "")
        var slowest = (milliseconds: 0, name: "")
        for corpus in ["corpora-jpeg", "corpora-png"] {
            for name in SharedImages.names(in: corpus, extensions: ["jpg", "jpeg", "png"]) {
                let (memory, milliseconds, outcome) = try decode("\(folder)/\(corpus)/\(name)")
                #expect(memory < 64_000 || Sanitizer.isWatching, "\(name): \(outcome)")
                if memory > most.memory { most = (memory, name) }
                if milliseconds > slowest.milliseconds { slowest = (milliseconds, name) }
            }
        }
        print("corpora: at most \(most.memory) KB (\(most.name)), \(slowest.milliseconds) ms (\(slowest.name))")
    }
}
