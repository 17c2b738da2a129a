import CLibrary
import Synchronization

/// An error that says why there is no temporary folder.
public struct ScratchFolderError: Error, CustomStringConvertible {
    let parent: String
    let code: Int32

    public var description: String { "cannot make a folder in \(parent): \(String(cString: strerror(code)))" }
}

/// A folder of the program's own, removed with all that is in it when nobody holds it, or when the program exits.
public final class ScratchFolder: Sendable {
    /// The folders that there are: a program that exits lets go of nothing.
    private static let open = Mutex<Set<String>>([])
    private static let removesAtExit = atexit { for path in open.withLock({ $0 }) { remove(path) } } == 0

    /// The path of the folder.
    public let path: String

    /// Makes a folder among the temporary files.
    ///
    /// - Parameter name: The beginning of its name.
    /// - Throws: ``ScratchFolderError`` where the system refuses.
    public init(_ name: String) throws(ScratchFolderError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ScratchFolderError(parent: parent, code: errno) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.path = path
        if Self.removesAtExit { Self.open.withLock { _ = $0.insert(path) } }
    }

    /// Makes a folder among the temporary files, or ends the program with a line that says why there is none.
    ///
    /// - Parameter name: The beginning of its name.
    public static func orExit(_ name: String) -> ScratchFolder {
        do throws(ScratchFolderError) {
            return try ScratchFolder(name)
        } catch {
            print("\(name): \(error)")
            exit(1)
        }
    }

    deinit {
        let path = path
        Self.open.withLock { _ = $0.remove(path) }
        Self.remove(path)
    }

    /// Removes a file, a link itself, or a directory with all that is in it.
    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) where name != "." && name != ".." { remove("\(path)/\(name)") }
        rmdir(path)
    }

    private static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let item = readdir(stream) {
            names.append(
                withUnsafePointer(to: &item.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}
