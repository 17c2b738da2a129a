import CLibrary
import CommandOutput
import ImageCodecs

/// Makes one thumbnail, on the thread that calls: the photo is decoded while it is read, straight to the thumbnail's size.
struct ThumbnailMaker: Sendable {
    private static let chunkSize = 64 << 10

    let settings: ThumbnailSettings

    func make(_ photo: Photo) -> ThumbnailOutcome {
        do {
            // Before the work, not only after it.
            try photo.output.check(photo.name)
            let (image, status) = try decode(photo.path)
            try write(image, of: photo, status)
            return .made(damage: image.damage.map { Failure(path: photo.path, reason: "\($0)") })
        } catch {
            return .failed(Failure(path: photo.path, reason: "\(error)"))
        }
    }

    /// - Parameter status: The photo's, of which the image was made.
    func write(_ image: Image, of photo: Photo, _ status: FileSystem.Status) throws {
        let thumbnail = try image.encoded(as: settings.encoding)
        // Another photo may have its name by now. The thumbnail will be newer, and would never be made again.
        guard FileSystem.status(photo.path) == status else { throw InputError.changed }
        // A photo dated ahead would be newer than its thumbnail at every run: both get one date.
        let modified = status.modified > FileSystem.now ? status.modified : nil
        try photo.output.write(thumbnail, as: photo.name, modified: modified)
    }

    func decode(_ path: String) throws -> (image: Image, status: FileSystem.Status) {
        // A pipe in the photo's place would have it wait for somebody who writes.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw InputError.system(errno) }
        defer { close(file) }
        let before = try Self.status(file)
        guard before.entry == .file else { throw InputError.changed }
        let decoder = ContentDecoder(options: settings.options)
        try withUnsafeTemporaryAllocation(byteCount: Self.chunkSize, alignment: 16) { chunk in
            while true {
                let count = read(file, chunk.baseAddress, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw InputError.system(errno) }
                if count == 0 { return }
                try decoder.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            }
        }
        let image = try decoder.finish()
        guard try Self.status(file) == before else { throw InputError.changed }
        return (image, before)
    }

    private static func status(_ file: Int32) throws(InputError) -> FileSystem.Status {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(errno) }
        return FileSystem.Status(status)
    }
}

/// A photo could not be read.
enum InputError: Error, CustomStringConvertible {
    case system(Int32)
    case changed

    var description: String {
        switch self {
        case .system(let code): "cannot be read: \(String(cString: strerror(code)))"
        case .changed: "changed while it was read"
        }
    }
}
