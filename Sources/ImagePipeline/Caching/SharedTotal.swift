import Files
import Synchronization

/// The bytes that the entries of a directory take up, counted by all processes that write there: the length of a file to which each of them
/// appends one byte for 256 that it is about to write.
///
/// Appending is atomic between processes, and takes no lock that one which was stopped or killed could leave locked. What is removed
/// or replaced is not taken off: the total is never too little for long, and whoever finds it too large lists the directory and
/// begins it anew.
final class SharedTotal: Sendable {
    static let name = ".imagestreams-total"
    private static let unit = 256

    /// The file as it was when a listing began.
    struct Mark: ~Copyable {
        fileprivate let file: FileDescriptor
        fileprivate let size: Int
    }

    private let directory: String
    private let state = Mutex(State())

    private struct State: ~Copyable {
        var file: FileDescriptor?
        /// The total that was known last, and the bytes added by this process since: they count where the file cannot be written.
        var estimate: Int?
        var isUnwritable = false
    }

    private var path: String { "\(directory)/\(Self.name)" }

    init(directory: String) {
        self.directory = directory
    }

    /// The total in bytes; nil until somebody has listed the directory.
    var value: Int? { add(0) }

    /// Adds what is about to be written.
    ///
    /// - Returns: The total; nil until somebody has listed the directory.
    @discardableResult
    func add(_ size: Int) -> Int? {
        state.withLock { state in
            do throws(SystemError) {
                state.estimate = try Self.append(size, to: &state.file, path)
                state.isUnwritable = false
            } catch {
                let isUnknown = error.code == ENOENT && !state.isUnwritable
                state.estimate = isUnknown ? nil : state.estimate.map { $0 + size }
            }
            return state.estimate
        }
    }

    /// Notes where the total stands before a listing; nil if there is none.
    func mark() -> Mark? {
        var status = stat()
        guard let file = try? FileDescriptor.reading(path, &status) else { return nil }
        return Mark(file: file, size: Int(status.st_size))
    }

    /// Begins the total anew with what a listing has found, and what was added meanwhile. If somebody else has done so since the
    /// mark, or is doing so, theirs counts.
    ///
    /// A second look at the old file finds what others have added to it while the new one took its place; whoever adds later sees that it
    /// has lost its name. Only the one that has locked the old file replaces it: where that one is stopped in between, the total stays too
    /// large, and the others list the directory whenever they write.
    func restart(at size: Int, since mark: consuming Mark?) {
        var total = size
        do throws(SystemError) {
            let present = FileFacts(at: path)
            // Something else than a file is somebody's: it makes way.
            if let present, !present.isRegular { _ = rename(path, DiskCache.placeAside(in: directory)) }
            guard let mark, let present, present.isRegular else { return try publish(total, isFirst: true) }
            // Not every file system has locks.
            guard (try? mark.file.tryLock()) != false else { return }
            let facts = FileFacts(try mark.file.status())
            guard facts.isSameFile(as: present), facts.links > 0 else { return }
            total += (facts.size - mark.size) * Self.unit
            try publish(total, isFirst: false)
            let late = Int(try mark.file.status().st_size) - facts.size
            if late > 0 { add(late * Self.unit) }
        } catch {
            // The medium is full or read-only: this process's own count goes on.
            state.withLock { ($0.estimate, $0.isUnwritable) = (total, true) }
        }
    }

    private func publish(_ total: Int, isFirst: Bool) throws(SystemError) {
        let file = try TemporaryFile.make(in: directory)
        try file.truncate(to: Self.units(total))
        if isFirst {
            try file.publishUnlessTaken(as: path)
        } else {
            try file.publish(as: path, time: .sinceEpoch)
        }
    }

    private static func append(_ size: Int, to file: inout FileDescriptor?, _ path: String) throws(SystemError) -> Int {
        while true {
            let present: FileDescriptor
            if let open = file.take() {
                present = open
            } else {
                // Neither through a link, nor to a pipe that nobody reads.
                present = try FileDescriptor(opening: path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK)
            }
            try present.appendZeros(units(size))
            let status = try present.status()
            // A file that has lost its name was replaced by somebody who may not have seen this.
            guard status.st_nlink > 0 else { continue }
            file = .some(present)
            return Int(status.st_size) * unit
        }
    }

    private static func units(_ size: Int) -> Int { (size + unit - 1) / unit }
}
