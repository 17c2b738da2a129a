import CFiles
import Synchronization

/// A file of a name of its own, removed when nobody holds it, unless it got the name it was made for.
///
/// It is locked for as long as it is held, in whatever process: who gets the lock of a leftover knows that its writer is
/// gone, and may remove it.
package struct TemporaryFile: ~Copyable, Sendable {
    /// The beginning of the names; 32 hexadecimal digits follow.
    package static let prefix = "imagestreams-unfinished-"
    private static let digits = 32
    /// How often a sweep may get in between. Each time takes one that looks at the file within a system call's time.
    private static let attempts = 16

    private let file: SharedFile
    private let path: String
    private var isPublished = false

    private init(_ file: consuming FileDescriptor, path: String) {
        self.file = SharedFile(file)
        self.path = path
    }

    deinit {
        if !isPublished { _ = unlink(path) }
    }

    package static func make(in directory: String) throws(SystemError) -> TemporaryFile {
        for _ in 0..<attempts {
            let path = "\(directory)/\(prefix)\(newDigits())"
            if let file = try claim(path) { return TemporaryFile(file, path: path) }
        }
        throw SystemError("flock", code: EWOULDBLOCK)
    }

    /// Whether a name is one of these; nobody else's file has such a name by chance.
    package static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + digits && name.hasHexadecimalSuffix(digits)
    }

    /// Removes the leftover of a writer that is gone; what is no file, or has a living writer, stays.
    package static func removeIfAbandoned(_ path: String) {
        guard let file = try? FileDescriptor.reading(path), (try? file.tryLock()) == true else { return }
        _ = unlink(path)
    }

    /// The file, for whoever reads on whatever becomes of the name.
    package func shared() -> SharedFile { file }

    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try file.descriptor.write(bytes, at: offset)
    }

    package func truncate(to size: Int) throws(SystemError) {
        try file.descriptor.truncate(to: size)
    }

    /// Waits until what was written is on the medium.
    package func synchronize() throws(SystemError) {
        try file.descriptor.synchronize()
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        try writeAll(bytes, to: file.descriptor.number, at: offset)
    }

    /// Gives it the name it was made for, in place of what had it, and this time of change and use.
    package consuming func publish(as target: String, time: Duration) throws(SystemError) {
        file.descriptor.setTimes(lastUse: time, change: time)
        guard rename(path, target) == 0 else { throw SystemError("rename") }
        isPublished = true
    }

    /// Gives it the name it was made for, in place of this file and of no other one.
    ///
    /// Another file that gets the name just now loses it for a moment and gets it back, where names can be exchanged; where they cannot, and
    /// where somebody takes away what was exchanged, it is lost. Who can keeps others from giving names meanwhile (``DirectoryLock``).
    ///
    /// - Returns: Those of this file, which has the name now; nil if another one has it, or none.
    package consuming func publish(
        as target: String, time: Duration, replacing facts: FileFacts
    ) throws(SystemError) -> FileFacts? {
        guard FileFacts(at: target)?.isSameFile(as: facts) == true else { return nil }
        file.descriptor.setTimes(lastUse: time, change: time)
        let own = FileFacts(try file.descriptor.status())
        guard exchange_names(path, target) == 0 else {
            // Removed since then.
            if errno == ENOENT { return nil }
            guard rename(path, target) == 0 else { throw SystemError("rename") }
            isPublished = true
            return own
        }
        // The file that had the name goes now, by the name that this one had; a sweep may have taken it already.
        guard let old = FileFacts(at: path), !old.isSameFile(as: facts) else { return own }
        _ = exchange_names(path, target)
        return nil
    }

    /// Gives it the name it was made for, unless another file has that.
    package consuming func publishUnlessTaken(as target: String) throws(SystemError) {
        if link(path, target) == 0 || errno == EEXIST { return }
        // There are file systems where a file has one name.
        guard rename(path, target) == 0 else { throw SystemError("rename") }
        isPublished = true
    }

    /// Makes a file and locks it; nil when a sweep came between the two and took it for a leftover. Then it has the lock
    /// still, or has removed the name. Once it is locked and has its name, no sweep touches it.
    private static func claim(_ path: String) throws(SystemError) -> FileDescriptor? {
        let file = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_EXCL)
        do throws(SystemError) {
            if try file.tryLock(), try file.status().st_nlink > 0 { return file }
        } catch {
            // Where files cannot be locked no sweep could remove it ever.
            _ = unlink(path)
            throw error
        }
        _ = unlink(path)
        return nil
    }

    /// A name that nobody else has: a random number for the process, which is asked for once, and a number in it.
    private static func newDigits() -> String {
        [series, serial.add(1, ordering: .relaxed).newValue].map { part in
            let digits = String(part, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    private static let series = UInt64.random(in: .min ... .max)
    private static let serial = Atomic<UInt64>(0)
}

extension String {
    /// Whether the last so many bytes are digits or letters a to f.
    package func hasHexadecimalSuffix(_ count: Int) -> Bool {
        utf8.suffix(count).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}

extension FileDescriptor {
    /// Makes a file without a name in the system's directory for temporary files: it is gone with its descriptor, however that ends.
    package static func unnamed() throws(SystemError) -> FileDescriptor {
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let number = UInt128.random(in: .min ... .max)
        let path = "\(directory)/imagestreams-\(String(number, radix: 36))"
        let file = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_EXCL)
        guard unlink(path) == 0 else { throw SystemError("unlink") }
        return file
    }
}
