import Dispatch
import PhotoGenerator
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of numbered photos, each with its number in its name and in its pixels.
struct PhotoFiles: Sendable {
    let path: String
    let photos: NumberedPhotos

    static func name(_ number: Int) -> String {
        let digits = String(number)
        return "photo-\(String(repeating: "0", count: max(0, 7 - digits.utf8.count)))\(digits).jpg"
    }

    /// The number in a name.
    static func number(in name: String) -> Int? { Int(name.dropFirst(6).prefix { $0 != "." }) }

    /// Writes the photos that are not there yet, on all cores.
    func make(_ count: Int) {
        mkdir(path, 0o755)
        DispatchQueue.concurrentPerform(iterations: (count + 99) / 100) { part in
            for number in part * 100..<min(count, part * 100 + 100)
            where access("\(path)/\(Self.name(number))", F_OK) != 0 {
                write(number, date: NumberedPhotos.date(of: number))
            }
        }
    }

    /// Writes one photo beside its place and gives it its name when it is whole.
    func write(_ number: Int, date: Int) {
        guard let bytes = try? photos.file(number) else { return }
        let (part, target) = ("\(path)/.part-\(number)", "\(path)/\(Self.name(number))")
        TextFile.write(bytes, to: part)
        var times = [timespec(tv_sec: date, tv_nsec: 0), timespec(tv_sec: date, tv_nsec: 0)]
        utimensat(AT_FDCWD, part, &times, 0)
        rename(part, target)
    }

    func remove(_ number: Int) { unlink("\(path)/\(Self.name(number))") }
}

/// Somebody who adds and deletes photos while another one scrolls through them.
final class Visitor: Sendable {
    /// The numbers of photos that are added begin here.
    private static let firstNumber = 900_000

    private let isOver = Atomic(false)
    private let visit = DispatchGroup()

    /// Adds a photo somewhere among the others, or deletes one that was there, every so many seconds; all of it is undone at the end.
    init(_ files: PhotoFiles, count: Int, every seconds: Double) {
        DispatchQueue.global().async(group: visit) { [self] in
            var random = SeededGenerator(seed: 19)
            var (added, removed): ([Int], [Int]) = ([], [])
            while !isOver.load(ordering: .relaxed) {
                usleep(UInt32(seconds * 1e6))
                let place = Int.random(in: 0..<count, using: &random)
                if added.count > removed.count {
                    files.remove(place)
                    removed.append(place)
                } else {
                    files.write(Self.firstNumber + added.count, date: NumberedPhotos.date(of: place) + 60)
                    added.append(Self.firstNumber + added.count)
                }
            }
            for number in added { files.remove(number) }
            for number in removed { files.write(number, date: NumberedPhotos.date(of: number)) }
        }
    }

    /// Ends the visit, and returns when everything is as it was.
    func leave() {
        isOver.store(true, ordering: .relaxed)
        visit.wait()
    }
}
