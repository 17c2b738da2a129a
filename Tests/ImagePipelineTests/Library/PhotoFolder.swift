import Files

/// A folder of small files that pass for photos, removed with all that is in it when nobody holds it.
final class PhotoFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/imagestreams-photos-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.removeAll(path) }

    /// Writes a file of so many bytes, which last changed so many seconds after 1970; nil for now.
    func write(_ name: String, bytes: Int = 1, changed: Int? = nil) {
        write(name, [UInt8](repeating: 7, count: bytes), changed: changed)
    }

    func write(_ name: String, _ bytes: [UInt8], changed: Int? = nil) {
        guard let file = try? FileDescriptor(opening: "\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC) else { return }
        try? file.write(bytes, at: 0)
        if let changed { file.setTimes(lastUse: .seconds(changed), change: .seconds(changed)) }
    }

    /// Puts another file in a photo's place at once.
    func replace(_ name: String, bytes: Int, changed: Int? = nil) {
        write(".new", bytes: bytes, changed: changed)
        rename(".new", to: name)
    }

    func remove(_ name: String) { unlink("\(path)/\(name)") }

    func rename(_ name: String, to other: String) {
        _ = Files.rename("\(path)/\(name)", "\(path)/\(other)")
    }

    func link(_ name: String, to other: String) { symlink("\(path)/\(other)", "\(path)/\(name)") }

    func makeFolder(_ name: String) { mkdir("\(path)/\(name)", 0o700) }

    func removeFolder(_ name: String) { Self.removeAll("\(path)/\(name)") }

    /// Makes the folder look as if no name had come or gone for a long time.
    func age() {
        let long = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, path, long, 0)
    }

    private static func removeAll(_ path: String) {
        var names: [(String, Bool)] = []
        try? Directory.forEachEntry(in: path) {
            names.append((String(decoding: $0.name, as: UTF8.self), $0.isDirectory))
        }
        for (name, isFolder) in names {
            if isFolder { removeAll("\(path)/\(name)") } else { unlink("\(path)/\(name)") }
        }
        rmdir(path)
    }
}
