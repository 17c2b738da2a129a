import CLibrary
import Dispatch

/// A folder of numbered photos, each with its number in its name and in its pixels.
public struct PhotoFolder: Sendable {
    /// The path of the folder.
    public let path: String
    /// The photos that are written into it.
    public let photos: NumberedPhotos

    /// Creates a folder of photos, without a look at the disk.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - photos: The photos that are written into it.
    public init(path: String, photos: NumberedPhotos) {
        self.path = path
        self.photos = photos
    }

    /// Returns the name of a photo's file.
    ///
    /// - Parameter number: The photo's number.
    public static func name(_ number: Int) -> String {
        let digits = String(number)
        return "photo-\(String(repeating: "0", count: max(0, 7 - digits.utf8.count)))\(digits).jpg"
    }

    /// Returns the number in a file's name; nil where there is none.
    ///
    /// - Parameter name: The name of the file.
    public static func number(in name: String) -> Int? { Int(name.dropFirst(6).prefix { $0 != "." }) }

    /// Writes the photos that are not there yet, on all cores. One that cannot be written is left out.
    ///
    /// - Parameter count: The number of photos, which are numbered from 0 on.
    public func make(_ count: Int) {
        mkdir(path, 0o755)
        DispatchQueue.concurrentPerform(iterations: (count + 99) / 100) { part in
            for number in part * 100..<min(count, part * 100 + 100)
            where access("\(path)/\(Self.name(number))", F_OK) != 0 {
                write(number, date: NumberedPhotos.date(of: number))
            }
        }
    }

    /// Writes one photo beside its place and gives it its name when it is whole. Whatever has that name already stays.
    ///
    /// - Parameters:
    ///   - number: The photo's number.
    ///   - date: The time that its file is dated to, in seconds since 1970.
    public func write(_ number: Int, date: Int) {
        guard let bytes = try? photos.file(number) else { return }
        let (part, target) = ("\(path)/.part-\(number)-\(getpid())", "\(path)/\(Self.name(number))")
        // With x only a name that is free is taken.
        guard let file = fopen(part, "wx") else { return }
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        if fclose(file) == 0, isWhole {
            var times = [timespec(tv_sec: date, tv_nsec: 0), timespec(tv_sec: date, tv_nsec: 0)]
            utimensat(AT_FDCWD, part, &times, 0)
            // A new name for it, and never in place of another file, as a rename would be.
            link(part, target)
        }
        unlink(part)
    }

    /// Deletes one photo, if the file of its name is that one: somebody else's has other bytes.
    ///
    /// - Parameter number: The photo's number.
    /// - Returns: `true` if it was deleted.
    @discardableResult
    public func remove(_ number: Int) -> Bool {
        let name = "\(path)/\(Self.name(number))"
        guard let bytes = try? photos.file(number) else { return false }
        let descriptor = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        guard let file = fdopen(descriptor, "r") else {
            close(descriptor)
            return false
        }
        defer { fclose(file) }
        var found = [UInt8](repeating: 0, count: bytes.count + 1)
        let count = fread(&found, 1, found.count, file)
        guard count == bytes.count, found.starts(with: bytes) else { return false }
        return unlink(name) == 0
    }
}
