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

    /// Writes one photo beside its place and gives it its name when it is whole.
    ///
    /// - Parameters:
    ///   - number: The photo's number.
    ///   - date: The time that its file is dated to, in seconds since 1970.
    public func write(_ number: Int, date: Int) {
        guard let bytes = try? photos.file(number) else { return }
        let (part, target) = ("\(path)/.part-\(number)", "\(path)/\(Self.name(number))")
        guard let file = fopen(part, "w") else { return }
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWhole else {
            unlink(part)
            return
        }
        var times = [timespec(tv_sec: date, tv_nsec: 0), timespec(tv_sec: date, tv_nsec: 0)]
        utimensat(AT_FDCWD, part, &times, 0)
        rename(part, target)
    }

    /// Deletes one photo.
    ///
    /// - Parameter number: The photo's number.
    public func remove(_ number: Int) { unlink("\(path)/\(Self.name(number))") }
}
