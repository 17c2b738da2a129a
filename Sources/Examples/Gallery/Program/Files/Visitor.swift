import CLibrary
import Dispatch
import PhotoGenerator
import Synchronization

/// Somebody who adds and deletes photos while another one scrolls through them.
final class Visitor: Sendable {
    /// The numbers of photos that are added begin here.
    private static let firstNumber = 900_000

    private let isOver = Atomic(false)
    private let visit = DispatchGroup()

    /// Adds a photo somewhere among the others, or deletes one that was there, every so many seconds; all of it is undone at the end.
    init(_ files: PhotoFolder, count: Int, every seconds: Double) {
        DispatchQueue.global().async(group: visit) { [self] in
            var random = SeededGenerator(seed: 19)
            var (added, removed): ([Int], [Int]) = ([], [])
            while !isOver.load(ordering: .relaxed) {
                usleep(UInt32(seconds * 1e6))
                let place = Int.random(in: 0..<count, using: &random)
                if added.count > removed.count {
                    if files.remove(place) { removed.append(place) }
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
