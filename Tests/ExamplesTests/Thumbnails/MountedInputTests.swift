import Foundation
import Testing

/// A shell in a mount namespace of its own.
private func shell(_ script: String, in directory: PhotoDirectory, _ arguments: [String] = []) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["--mount", "sh", "-ec", script, "sh"] + arguments
    process.currentDirectoryURL = URL(filePath: directory.path)
    return process
}

/// Whether this user, in this container, may mount.
private let mayMount: Bool = {
    guard let directory = try? PhotoDirectory() else { return false }
    let process = shell("mount --bind photos photos", in: directory)
    process.standardError = Pipe()
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}()

@Suite("thumbnails and mounts", .enabled(if: mayMount))
struct MountedInputTests {
    /// The program ends with a reason, and nothing is written.
    private func expectRefused(_ process: Process, _ reason: String, in directory: PhotoDirectory, as before: Tree)
        throws
    {
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(text.contains(reason), "\(text)")
        #expect(try Tree(directory.path) == before)
    }

    @Test(
        "An output that contains the directory which an input is a mount of is refused, and nothing is written",
        arguments: [
            ("mount --bind photos/2024 year", "year"),
            ("mount --bind photos/2024 year", "year/summer"),
            ("mount --bind photos/2024 year; mount --bind year again", "again"),
            ("mount --bind photos again; mount --bind again/2024 year", "year"),
            // Read because it lies in what is read.
            ("mount --bind photos/2024 other/year", "other"),
            // The input lies in a mount of a directory in the output.
            (
                "mount --bind photos/2024 year; mount -t tmpfs none again; mkdir again/x; cp photos/2024/a.jpg again/x; mount --bind again/x year/summer",
                "year/summer"
            ),
        ])
    func mounted(_ mounts: String, input: String) throws {
        let directory = try PhotoDirectory()
        let photo = try PhotoDirectory.photo(width: 64, height: 48)
        for name in ["photos/2024/a.jpg", "photos/2024/summer/b.jpg", "other/c.jpg"] { try directory.add(name, photo) }
        for name in ["year", "again", "other/year"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/\(name)", withIntermediateDirectories: true)
        }
        let before = try Tree(directory.path)
        let program = try #require(Process.thumbnails([]).executableURL?.path)
        let process = shell(
            mounts + #"; exec "$@""#, in: directory, [program, input, "--output", "photos", "--size", "32"])
        try expectRefused(process, "contains", in: directory, as: before)
    }

    @Test(
        "An output that is a layer of an overlay which is read is refused, or contains or lies in one",
        arguments: [
            ("upper", "is the input"), ("lower", "is the input"), (".", "contains"), ("upper/x", "lies in"),
        ])
    func overlay(output: String, reason: String) throws {
        let directory = try PhotoDirectory()
        try directory.add("lower/a.jpg", PhotoDirectory.photo(width: 64, height: 48))
        for name in ["upper", "work", "view"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/\(name)", withIntermediateDirectories: true)
        }
        let program = try #require(Process.thumbnails([]).executableURL?.path)
        // An upper layer cannot itself be on an overlay, as a container's disk may be.
        let process = shell(
            #"mount -t tmpfs none work; cp -r lower work; mkdir work/upper work/work; cd work;"#
                + #" mount -t overlay none ../view -o lowerdir=$PWD/lower,upperdir=$PWD/upper,workdir=$PWD/work; exec "$@""#,
            in: directory, [program, "../view", "--output", output, "--size", "32"])
        try expectRefused(process, reason, in: directory, as: Tree(directory.path))
    }

    @Test("An output that lies in what is read, by a mount of a folder that is not looked into, is refused")
    func hidden() throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/a.jpg", PhotoDirectory.photo(width: 64, height: 48))
        for name in ["photos/.hidden/deep", "beside"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/\(name)", withIntermediateDirectories: true)
        }
        let before = try Tree(directory.path)
        let program = try #require(Process.thumbnails([]).executableURL?.path)
        let process = shell(
            #"mount --bind photos/.hidden beside; exec "$@""#, in: directory,
            [program, "photos", "--output", "beside/deep/new", "--size", "32"])
        try expectRefused(process, "lies in", in: directory, as: before)
    }

    @Test("A mount beside the output is read like any directory")
    func apart() throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/2024/a.jpg", PhotoDirectory.photo(width: 64, height: 48))
        try FileManager.default.createDirectory(atPath: "\(directory.path)/year", withIntermediateDirectories: true)
        let program = try #require(Process.thumbnails([]).executableURL?.path)
        let process = shell(
            #"mount --bind photos/2024 year; exec "$@""#, in: directory,
            [program, "year", "--output", "thumbnails", "--size", "32"])
        process.standardOutput = Pipe()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(directory.files(below: "thumbnails").contains("a.jpg"))
    }
}
