import CLibrary
import CommandOutput

/// A photo whose thumbnail is to be made.
struct Photo: Sendable {
    let path: String
    let output: OutputDirectory
    /// The thumbnail's, with those of the folders that it is in.
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
    case output(OutputError)

    var description: String {
        switch self {
        case .input(let reason): reason
        case .output(let error): "\(error)"
        }
    }
}

/// What there is to do: found before anything is done, so that one can tell how much is left.
struct Survey {
    private(set) var photos: [Photo] = []
    /// Photos whose thumbnails are there.
    private(set) var existing = 0
    let failures: [Failure]
    /// Held as long as the work goes on.
    let folders: [ThumbnailFolder]

    init(of directories: [String], output: String, settings: ThumbnailSettings) throws(SurveyError) {
        let output = output.isEmpty ? "." : output
        let roots = try Self.roots(directories, output: output)
        let (trees, inputs) = try Self.trees(roots)
        failures = trees.flatMap(\.failures)
        if failures.isEmpty, trees.allSatisfy(\.photos.isEmpty) {
            throw .input("no photos (jpg, jpeg, jpe, jfif, png) in \(directories.joined(separator: ", "))")
        }
        // All of them, before any is made.
        for place in [output] + roots.map(\.output) {
            do { try inputs.check(place) } catch { throw .output(error) }
        }
        var folders: [ThumbnailFolder] = []
        for root in roots {
            // Another photo directory with the same output is another setting: thumbnails are not mixed up.
            let settings = settings.text + "photos \(root.real)\n"
            folders.append(try ThumbnailFolder(root.output, settings: settings, apartFrom: inputs))
        }
        self.folders = folders
        for (tree, folder) in zip(trees, folders) {
            for photo in tree.photos {
                let name = photo.folder + ThumbnailName.name(for: photo.name, as: settings.format)
                if Self.isThere(name, in: folder.output, of: photo.status) {
                    existing += 1
                } else {
                    photos.append(Photo(path: photo.path, output: folder.output, name: name))
                }
            }
        }
    }

    /// The files of each directory, and all of them by identity.
    private static func trees(
        _ roots: [(input: String, real: String, output: String)]
    ) throws(SurveyError) -> (trees: [PhotoTree], inputs: InputPlaces) {
        var inputs = InputPlaces()
        for root in roots {
            do { try inputs.addRoot(root.input) } catch { throw .output(error) }
        }
        var trees: [PhotoTree] = []
        for root in roots { trees.append(PhotoTree(of: root.input, inputs: &inputs)) }
        return (trees, inputs)
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
            // By bytes: a mark that combines with the slash before it hides it.
            let name = real.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "root"
            if let other = names.updateValue(directory, forKey: name) {
                throw .input("\(other) and \(directory) have the same name: give each an output of its own")
            }
            roots.append((directory, real, "\(output)/\(name)"))
        }
        return roots
    }

    /// Whether a photo has a thumbnail that is newer, or of the photo's own date if that lies ahead.
    private static func isThere(_ name: String, in output: OutputDirectory, of photo: FileSystem.Status) -> Bool {
        guard let status = FileSystem.status("\(output.path)/\(name)", followsLinks: false), status.entry == .file,
            // One that is dated ahead of a photo that isn't was made of another photo.
            status.modified >= photo.modified, status.modified <= max(photo.modified, FileSystem.now)
        else { return false }
        return output.isCurrent(name, size: status.size)
    }
}
