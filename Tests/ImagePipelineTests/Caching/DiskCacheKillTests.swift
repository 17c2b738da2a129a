import Testing

@testable import ImagePipeline

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Disk cache and killed processes")
struct DiskCacheKillTests {
    @Test("After kill -9 at 200 random moments every entry is whole, and a new process works on the directory")
    func killed() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        for _ in 0..<200 {
            let writer = try ChildProcess("disk-cache-writer", [directory.path])
            writer.waitForOutput()
            // Spinning rather than sleeping: the moment is within a few writes, at a grain of nanoseconds.
            for _ in 0..<Int.random(in: 0..<60_000, using: &random) { _ = getppid() }
            writer.kill()
        }
        let names = directory.names
        let entries = names.filter { !$0.hasPrefix(TemporaryFile.prefix) }
        #expect(!entries.isEmpty)
        #expect(entries.allSatisfy { $0.utf8.count == 64 })

        let cache = DiskCache(directory: directory.path)
        var found = 0
        for number in 0..<50 {
            guard let entry = cache.entry(for: CacheKey(["entry", "\(number)"])) else { continue }
            found += 1
            #expect(entry.metadata == Array("\(number)".utf8), "seed \(seed)")
            #expect(entry.bodyLength == (1 + number % 5) * (20_000 + number), "seed \(seed)")
        }
        #expect(cache.statistics.damaged == 0, "seed \(seed)")
        #expect(found == entries.count, "seed \(seed)")

        cache.sweep()
        #expect(
            directory.names.allSatisfy { !$0.hasPrefix(TemporaryFile.prefix) },
            "what the killed left behind is swept up")
        #expect(cache.store([1], for: CacheKey(["new"])))
    }
}

/// A program of this package, run as a process of its own.
struct ChildProcess: ~Copyable {
    private let identifier: pid_t
    private let output: Int32

    /// Starts a product of this package, from the directory that the tests were built into.
    init(_ name: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        let path = Self.productsDirectory + "/" + name
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, path, &actions, nil, &words, environ)
        words.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        try #require(status == 0, "\(path) could not be started")
        self.identifier = identifier
        output = ends[0]
    }

    /// Waits until it has printed something, or has ended.
    func waitForOutput() {
        var byte: UInt8 = 0
        _ = read(output, &byte, 1)
    }

    /// All it prints, once it has ended.
    consuming func readOutput() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        waitpid(identifier, nil, 0)
        close(output)
        return String(decoding: text, as: UTF8.self)
    }

    consuming func kill() {
        #if canImport(Glibc)
            Glibc.kill(identifier, SIGKILL)
        #else
            Darwin.kill(identifier, SIGKILL)
        #endif
        waitpid(identifier, nil, 0)
        close(output)
    }

    private static var productsDirectory: String {
        // The test bundle lies beside the products it was built with.
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let executable = String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        if executable.contains("PackageTests") {
            return executable.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        }
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
        return bundle.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    }
}
