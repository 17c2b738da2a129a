import Files
import Testing

@testable import CommandOutput
@testable import thumbnails

/// All that lies below a directory, to be compared with what lies there later.
struct Tree: Equatable {
    enum Node: Equatable {
        case file([UInt8])
        case link(String)
        case directory
        case other
    }

    /// By paths below the directory, as bytes: Swift's strings are equal where a file system tells them apart.
    private(set) var files: [[UInt8]: Node] = [:]

    init(_ root: String) throws {
        var directories = [""]
        while let directory = directories.popLast() {
            let names = try #require(FileSystem.names(in: root + directory))
            for case let name? in names {
                let path = "\(directory)/\(name)"
                let node = try Self.node(root + path)
                if node == .directory { directories.append(path) }
                files[Array(path.utf8)] = node
            }
        }
    }

    /// Without the records, which grow.
    var results: [[UInt8]: Node] {
        files.filter { !String(decoding: $0.key, as: UTF8.self).contains(/\/\.(thumbnails|load-image)(\/|$)/) }
    }

    private static func node(_ path: String) throws -> Node {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG:
            let file = try #require(Descriptor(path, O_RDONLY))
            return .file(try #require(file.read(Int(status.st_size))))
        case S_IFLNK:
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink(path, &target, target.count)
            return .link(String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self))
        default: return .other
        }
    }
}
