import Files

/// One listing of a cache directory: what is too old or too large and what killed writers left behind is removed on the
/// way. Files of other names than the cache gives are left alone, and those of such names that are no entries.
struct DirectorySweep {
    /// No path: there may be very many.
    private struct File {
        let key: CacheKey
        let facts: FileFacts

        /// The last use of none is yet to come, whatever its file says.
        func lastUse(by now: Duration) -> Duration { min(facts.lastUse, now) }
    }

    private let directory: String
    private let now: Duration
    /// Whether an entry that has been used since it was listed stays.
    private let sparesUsed: Bool
    /// Whether one that has been written since then does.
    private let sparesWritten: Bool
    /// Looks at a file and removes it while none gets a name.
    private let exclusively: (_ body: () -> Bool) -> Bool
    private var files: [File] = []
    /// The bytes of the entries and of the unfinished files of living writers.
    private(set) var totalSize = 0
    private(set) var removedEntries = 0
    /// The entries that are left.
    var contents: DiskCache.Contents {
        DiskCache.Contents(entries: files.count, size: files.reduce(0) { $0 + $1.facts.size })
    }

    /// Takes a system call for each file: 60,000 take about 0.1 s of processor time.
    ///
    /// - Parameters:
    ///   - age: An age in seconds from which entries are removed, if it is less than that of the limits.
    ///   - sparesUsed: Whether an entry that is used meanwhile stays; false where somebody wants it gone.
    ///   - sparesWritten: Whether one that is written meanwhile stays; false where somebody wants all gone: what has been written may be an old
    ///     body with other metadata.
    ///   - exclusively: Does something while no entry gets a name.
    init(
        of directory: String, now: Duration, limits: DiskCache.Limits, age: Int = .max,
        sparingUsed sparesUsed: Bool = true, sparingWritten sparesWritten: Bool = true,
        exclusively: @escaping (_ body: () -> Bool) -> Bool = { $0() }
    ) throws(SystemError) {
        self.directory = directory
        self.now = now
        self.sparesUsed = sparesUsed
        self.sparesWritten = sparesWritten
        self.exclusively = exclusively
        let lifetime = Duration.seconds(min(age, limits.age))
        var files: [File] = []
        var unwanted: [File] = []
        var unfinishedSize = 0
        try Directory.forEachEntry(in: directory) { entry in
            if let key = CacheKey(digest: entry.name) {
                guard let facts = entry.facts, facts.isRegular else { return }
                let file = File(key: key, facts: facts)
                if now - facts.modified < lifetime, facts.size <= limits.entrySize {
                    files.append(file)
                } else {
                    unwanted.append(file)
                }
                return
            }
            let name = String(decoding: entry.name, as: UTF8.self)
            let path = "\(directory)/\(name)"
            if TemporaryFile.isName(name) {
                TemporaryFile.removeIfAbandoned(path)
                unfinishedSize += FileFacts(at: path)?.size ?? 0
            } else if name.hasPrefix(DirectoryLease.prefix) {
                DirectoryLease.removeIfAbandoned(path, now: now)
            }
        }
        self.files = files
        for index in files.indices where files[index].facts.isDatedAhead(of: now) {
            self.files[index] = dated(files[index])
        }
        totalSize = self.files.reduce(unfinishedSize) { $0 + $1.facts.size }
        for file in unwanted where !remove(file) { totalSize += file.facts.size }
    }

    /// Removes the least recently used entries until no more than `size` bytes are left.
    mutating func evict(to size: Int) {
        files.sort { ($0.lastUse(by: now), $0.key.words.0) > ($1.lastUse(by: now), $1.key.words.0) }
        var left: [File] = []
        while totalSize > size, let file = files.popLast() {
            if remove(file) { totalSize -= file.facts.size } else { left.append(file) }
        }
        files += left
    }

    /// Lets a file age from now that was written when the clock was ahead: it would outlive every limit of age.
    private func dated(_ file: File) -> File {
        var status = stat()
        guard let open = try? FileDescriptor.reading(path(of: file), &status, keepsLastUse: true),
            FileFacts(status) == file.facts, (try? EntryHeader.begins(open)) == true
        else { return file }
        open.setTimes(lastUse: now, change: now)
        return (try? open.status()).map { File(key: file.key, facts: FileFacts($0)) } ?? file
    }

    /// Removes a file unless it is spared for what happened since it was listed.
    ///
    /// A file that is no entry is somebody else's: others, too, name files by their SHA-256.
    ///
    /// - Returns: Whether what was listed takes no room of the cache any more.
    private mutating func remove(_ file: File) -> Bool {
        var isRemoved = false
        let takesNoRoom = exclusively { remove(file, &isRemoved) }
        removedEntries += isRemoved ? 1 : 0
        return takesNoRoom
    }

    private func remove(_ file: File, _ isRemoved: inout Bool) -> Bool {
        let path = path(of: file)
        do throws(SystemError) {
            var status = stat()
            let open = try FileDescriptor.reading(path, &status, keepsLastUse: true)
            let facts = FileFacts(status)
            if sparesUsed, facts != file.facts { return false }
            if sparesWritten, !facts.isUnwritten(since: file.facts) { return false }
            guard try EntryHeader.begins(open) else { return true }
        } catch {
            return error.code == ENOENT
        }
        isRemoved = unlink(path) == 0
        return isRemoved
    }

    private func path(of file: File) -> String { "\(directory)/\(file.key.digest)" }
}

extension FileFacts {
    /// Whether a clock that was ahead has dated it. A little is what processes differ in when they look at the clock.
    func isDatedAhead(of now: Duration) -> Bool {
        max(modified, lastUse) - now > .seconds(60)
    }
}
