import Files

/// A directory of a test's own, removed with all that is in it when nobody holds it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// That of all directories of the process, removed with it: a cache makes its directory again that a test has removed.
    private static let parent: String = {
        atexit { TemporaryDirectory.remove(TemporaryDirectory.parent) }
        let path = make("/tmp/imagestreams-XXXXXX")
        // Children that run as another user get to theirs.
        chmod(path, 0o711)
        return path
    }()

    package init() {
        path = Self.make("\(Self.parent)/XXXXXX")
    }

    private static func make(_ template: String) -> String {
        var template = Array(template.utf8CString)
        _ = mkdtemp(&template)
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ directory: String) {
        for name in names(in: directory) where unlink("\(directory)/\(name)") != 0 { remove("\(directory)/\(name)") }
        rmdir(directory)
    }

    /// The names of the files in it but those that are hidden.
    package var names: [String] { Self.names(in: path).filter { !$0.hasPrefix(".") } }

    private static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let item = readdir(stream) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
