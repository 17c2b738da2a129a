import CLibrary
import CommandOutput

/// The photos in a directory and those below it, found before anything is written.
struct PhotoTree {
    /// A photo that was found.
    struct Found {
        let path: String
        /// The folder that its thumbnail goes to, below the output; empty, or with a slash at its end.
        let folder: String
        let name: String
        let status: FileSystem.Status
    }

    private(set) var photos: [Found] = []
    private(set) var failures: [Failure] = []

    /// Finds everything below a directory, in the order of names, but for what is hidden and for links to directories.
    ///
    /// - Parameter inputs: Gets every directory and photo that is found.
    init(of root: String, inputs: inout InputPlaces) {
        var directories: [(path: String, folder: String)] = [(root, "")]
        while let directory = directories.popLast() {
            guard let names = FileSystem.names(in: directory.path) else {
                fail(directory.path, String(cString: strerror(errno)))
                continue
            }
            var below: [(path: String, folder: String)] = []
            for name in names {
                guard let name else {
                    fail(directory.path, "it has a name that is not UTF-8")
                    continue
                }
                if name.hasPrefix(".") { continue }
                let path = "\(directory.path)/\(name)"
                guard let status = FileSystem.status(path, followsLinks: ThumbnailName.isPhoto(name)) else {
                    let code = errno
                    // A name that cannot be looked at may be a folder of photos, unless it has gone meanwhile.
                    if ThumbnailName.isPhoto(name) || code != ENOENT { fail(path, String(cString: strerror(code))) }
                    continue
                }
                switch status.entry {
                case .directory:
                    if FileSystem.status(path, followsLinks: false)?.entry == .directory {
                        inputs.add(directory: status.identity, at: path)
                        below.append((path, "\(directory.folder)\(name)/"))
                    }
                case .file where ThumbnailName.isPhoto(name):
                    inputs.add(file: status.identity)
                    photos.append(Found(path: path, folder: directory.folder, name: name, status: status))
                case .file, .other: break
                }
            }
            directories += below.reversed()
        }
    }

    private mutating func fail(_ path: String, _ reason: String) {
        failures.append(Failure(path: path, reason: reason))
    }
}
