import CommandOutput

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A photo whose thumbnail is to be made.
struct Photo: Sendable {
    let path: String
    let output: OutputDirectory
    /// The thumbnail's, in its directory.
    let name: String
}

/// Something that kept a photo, or a directory of them, from getting thumbnails.
struct Failure: Sendable {
    let path: String
    let reason: String
}

/// Why there is nothing to begin with.
enum SurveyError: Error, CustomStringConvertible {
    case input(String)
    case output(String)

    var description: String {
        switch self {
        case .input(let reason), .output(let reason): reason
        }
    }
}

/// What there is to do: found before anything is done, so that one can tell how much is left.
struct Survey {
    private(set) var photos: [Photo] = []
    /// Photos whose thumbnails are there.
    private(set) var existing = 0
    private(set) var failures: [Failure] = []
    /// Held as long as the work goes on.
    let folders: [ThumbnailFolder]

    init(of directories: [String], output: String, settings: ThumbnailSettings) throws(SurveyError) {
        let roots = try Self.roots(directories, output: output)
        var folders: [ThumbnailFolder] = []
        for root in roots {
            // Another photo directory with the same output is another setting: thumbnails are not mixed up.
            folders.append(try ThumbnailFolder(root.output, settings: settings.text + "photos \(root.real)\n"))
        }
        self.folders = folders
        for (root, folder) in zip(roots, folders) { walk(root.input, folder, settings.format) }
        if photos.isEmpty, existing == 0, failures.isEmpty {
            throw .input("no photos (jpg, jpeg, jpe, jfif, png) in \(directories.joined(separator: ", "))")
        }
    }

    private static func roots(
        _ directories: [String], output: String
    ) throws(SurveyError) -> [(input: String, real: String, output: String)] {
        var roots: [(input: String, real: String, output: String)] = []
        var names: [String: String] = [:]
        for directory in directories {
            guard let resolved = realpath(directory, nil) else {
                throw .input("\(directory): \(String(cString: strerror(errno)))")
            }
            let real = String(cString: resolved)
            free(resolved)
            guard FileSystem.status(real)?.entry == .directory else { throw .input("\(directory) is not a directory") }
            if directories.count == 1 { return [(directory, real, output)] }
            let name = real.split(separator: "/").last.map(String.init) ?? "root"
            if let other = names.updateValue(directory, forKey: name) {
                throw .input("\(other) and \(directory) have the same name: give each an output of its own")
            }
            roots.append((directory, real, "\(output)/\(name)"))
        }
        return roots
    }

    /// Everything below a directory, in the order of names, but for what is hidden and for the thumbnails themselves.
    private mutating func walk(_ root: String, _ folder: ThumbnailFolder, _ format: OutputFormat) {
        let thumbnails = folders.compactMap { FileSystem.status($0.path) }
        var directories: [(input: String, output: String)] = [(root, folder.path)]
        while let directory = directories.popLast() {
            guard let names = FileSystem.names(in: directory.input) else {
                fail(directory.input, String(cString: strerror(errno)))
                continue
            }
            var output: Result<OutputDirectory, OutputError>?
            var below: [(input: String, output: String)] = []
            for name in names {
                guard let name else {
                    fail(directory.input, "it has a name that is not UTF-8")
                    continue
                }
                if name.hasPrefix(".") { continue }
                let path = "\(directory.input)/\(name)"
                guard let status = FileSystem.status(path, followsLinks: ThumbnailName.isPhoto(name)) else {
                    if ThumbnailName.isPhoto(name) { fail(path, String(cString: strerror(errno))) }
                    continue
                }
                switch status.entry {
                case .directory:
                    let isLink = FileSystem.status(path, followsLinks: false)?.entry != .directory
                    if !isLink, !thumbnails.contains(where: { $0.isSameFile(as: status) }) {
                        below.append((path, "\(directory.output)/\(name)"))
                    }
                case .file where ThumbnailName.isPhoto(name):
                    let thumbnail = ThumbnailName.name(for: name, as: format)
                    if Self.isThere("\(directory.output)/\(thumbnail)", of: status, since: folder.since) {
                        existing += 1
                        continue
                    }
                    let made = output ?? Result { () throws(OutputError) in try OutputDirectory(directory.output) }
                    output = made
                    switch made {
                    case .success(let output): photos.append(Photo(path: path, output: output, name: thumbnail))
                    case .failure(let error): fail(path, "\(error)")
                    }
                case .file, .other: break
                }
            }
            directories += below.reversed()
        }
    }

    /// Whether a photo has a thumbnail that is newer, or of the photo's own date if that lies ahead.
    private static func isThere(_ path: String, of photo: FileSystem.Status, since: Int) -> Bool {
        guard let status = FileSystem.status(path, followsLinks: false), status.entry == .file, status.size > 0 else {
            return false
        }
        // One that is dated ahead of a photo that isn't was made of another photo.
        return status.modified >= max(photo.modified, since)
            && status.modified <= max(photo.modified, FileSystem.now)
    }

    private mutating func fail(_ path: String, _ reason: String) {
        failures.append(Failure(path: path, reason: reason))
    }
}
