/// The lock of a directory under which processes give names in it, held for as long as this exists. Those who put a file in the place of
/// whatever has its name share the lock; who replaces one file and no other has it alone.
package struct DirectoryLock: ~Copyable {
    /// Nil where it was not got.
    private let directory: FileDescriptor?
    /// A Boolean value that indicates whether others may have it: they have kept it longer than giving a name takes, as one that was stopped
    /// does, or the directory cannot be opened. Where directories cannot be locked nobody has it.
    package let isTaken: Bool

    /// Some milliseconds in all.
    private static let attempts = 50
    private static let pause: UInt32 = 200

    package init(of path: String, isShared: Bool) {
        var isTaken = true
        var locked: FileDescriptor?
        if let directory = try? FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY) {
            isTaken = false
            var attempt = 1
            while (try? directory.tryLock(isShared: isShared)) == false {
                isTaken = attempt == Self.attempts
                if isTaken { break }
                usleep(Self.pause)
                attempt += 1
            }
            locked = consume directory
        }
        self.directory = locked
        self.isTaken = isTaken
    }
}
