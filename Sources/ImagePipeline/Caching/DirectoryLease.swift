import Files

/// A lease of an entry as a small file beside it, whose time of change is that of the last renewal.
///
/// The file is locked for the few system calls in which it changes hands, never while the lease is held: a holder keeps no descriptor.
/// The file names its time and its process: one that was killed leaves a file that is taken over at once on the same machine, and
/// elsewhere when its time is over.
struct DirectoryLease: StoreLease {
    /// The beginning of the names; the digest of a key follows.
    static let prefix = ".imagestreams-lease-"
    /// The most bytes of a file: a token, a time in seconds and a process.
    private static let length = 512
    private static let tokenLength = 16

    private let cache: DiskCache
    private let path: String
    /// Tells this holder from the next one.
    private let token: [UInt8]

    static func take(
        of key: CacheKey, for time: Duration, in cache: DiskCache
    ) throws(SystemError) -> LeaseAnswer {
        let lease = DirectoryLease(
            cache: cache, path: path(of: key, in: cache),
            token: (0..<tokenLength).map { _ in UInt8.random(in: .min ... .max) })
        do throws(SystemError) {
            return try lease.take(for: time)
        } catch {
            guard error.code == ENOENT else { throw error }
            try Directory.make(cache.directory, mode: 0o700)
            return try lease.take(for: time)
        }
    }

    static func path(of key: CacheKey, in cache: DiskCache) -> String { "\(cache.directory)/\(prefix)\(key.digest)" }

    /// Removes the file of a lease whose time has been over for an hour, and nobody's who would take it over.
    static func removeIfAbandoned(_ path: String, now: Duration) {
        guard let file = try? FileDescriptor.reading(path) else { return }
        removeIfAbandoned(file, at: path, now: now)
    }

    /// - Parameter file: The file that had the name when it was opened.
    static func removeIfAbandoned(_ file: borrowing FileDescriptor, at path: String, now: Duration) {
        // Without a name it was released while it was opened, and what has its name now is another holder's.
        guard (try? file.tryLock()) == true, let status = try? file.status(), status.st_nlink > 0,
            let owner = try? file.read(length, at: 0),
            abs(now - FileFacts(status).modified) > statement(of: owner).time + .seconds(3_600)
        else { return }
        _ = unlink(path)
    }

    func renew() throws {
        try withOwnFile { $0.setTimes(lastUse: cache.now(), change: cache.now()) }
    }

    func release() throws {
        try withOwnFile { _ in _ = unlink(path) }
    }

    private func take(for time: Duration) throws(SystemError) -> LeaseAnswer {
        let file = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        // Locked by somebody who takes it, renews it or releases it, or gone since it was opened: it is somebody's.
        guard try file.tryLock() else { return try isStuck(file, since: time) ? .none : .held }
        guard try file.status().st_nlink > 0 else { return .held }
        let owner = try file.read(Self.length, at: 0)
        let now = cache.now()
        let age = now - FileFacts(try file.status()).modified
        // A time in the future is that of a clock that was ahead.
        guard owner.isEmpty || age >= time || age < .zero - time || isGone(owner) else { return .held }
        let statement = "\(time.components.seconds) \(ProcessIdentity.current?.text ?? "")"
        do throws(SystemError) {
            try file.truncate(to: 0)
            try file.write(token + Array(statement.utf8), at: 0)
        } catch {
            // On a full medium each load would leave a file, and no sweep takes one within an hour.
            _ = unlink(path)
            throw error
        }
        file.setTimes(lastUse: now, change: now)
        return .granted(self, isTakeover: !owner.isEmpty)
    }

    /// Whether the process of a holder has ended.
    private func isGone(_ owner: [UInt8]) -> Bool { Self.statement(of: owner).process?.isGone ?? false }

    /// The time that a holder has asked for, and its process.
    private static func statement(of owner: [UInt8]) -> (time: Duration, process: ProcessIdentity?) {
        let words = String(decoding: owner.dropFirst(tokenLength), as: UTF8.self)
            .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let seconds = Int(words[0]) else { return (.zero, nil) }
        return (.seconds(max(0, seconds)), ProcessIdentity(text: String(words[1])))
    }

    /// Whether the file is locked by a process that was stopped in the moment for which it locks it, so that nobody has the lease or gets
    /// it: its time is over, and the lock stays.
    private func isStuck(_ file: borrowing FileDescriptor, since time: Duration) throws(SystemError) -> Bool {
        for _ in 0..<100 {
            let age = cache.now() - FileFacts(try file.status()).modified
            if age < time, age >= .zero - time { return false }
            if try file.tryLock() { return false }
            usleep(100)
        }
        return true
    }

    private func withOwnFile(_ body: (borrowing FileDescriptor) -> Void) throws(SystemError) {
        let file = try FileDescriptor(opening: path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
        // Whoever asks for the lease holds the lock for a moment; a process that was stopped in it is not waited for.
        for _ in 0..<100 {
            if try file.tryLock() {
                if try file.status().st_nlink > 0, try file.read(token.count, at: 0) == token { body(file) }
                return
            }
            usleep(100)
        }
    }
}

private func abs(_ time: Duration) -> Duration { time < .zero ? .zero - time : time }
