import Files

extension DiskCache {
    /// Removes an entry.
    ///
    /// - Parameter key: The key of the entry.
    public func remove(_ key: CacheKey) {
        naming.withLock { _ in _ = unlink(path(of: key)) }
    }

    /// Removes every entry, and the leftovers of writers that were killed. What is written meanwhile may go, too.
    public func removeAll() {
        sweep(keeping: nil, sparingUsed: false)
    }

    /// Removes the entries that were written at least so long ago.
    ///
    /// - Parameter age: The age from which entries are removed, in whole seconds.
    public func removeAll(olderThan age: Duration) {
        sweep(
            keeping: limits.totalSize, age: Int(clamping: max(.zero, age).components.seconds), sparingUsed: false)
    }

    /// Returns a key by which an entry can be removed together with all others of a tag.
    ///
    ///     let photos = network.cached(in: disk, by: { disk.key($0.dataKey, tagged: "album 7") }, on: threads)
    ///     …
    ///     disk.removeAll(tagged: "album 7")
    ///
    /// The tag's generation becomes a part of the key. It is read from the directory each time, so that every process knows at once
    /// when another one has begun the next. Where it cannot be read, which is counted and logged, the key is one that has no entry. Call
    /// from threads that may block.
    ///
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - tag: The tag, any text.
    public func key(_ key: CacheKey, tagged tag: String) -> CacheKey {
        var generation: [UInt8] = []
        do throws(SystemError) {
            generation = try FileDescriptor.reading(path(ofTag: tag)).read(Self.generationSize, at: 0)
            // A file that a loss of power has cut short is none of the first generation, which has no file.
            generation += [UInt8](repeating: 0, count: Self.generationSize - generation.count)
        } catch {
            report(error, from: path(ofTag: tag), while: .reading)
            if ![ENOENT, EISDIR].contains(error.code) { generation = Self.newGeneration() }
        }
        return CacheKey(parts: [key.bytes, Array(tag.utf8), generation])
    }

    /// Removes every entry of a tag, in constant time: a new generation of the tag begins, and the files of the one before go when
    /// room is needed, or with their age.
    ///
    /// - Parameter tag: The tag with which keys were made by ``key(_:tagged:)``.
    /// - Returns: A Boolean value that indicates whether it is done. If the directory cannot be written to, which is counted and
    ///   logged, the entries are still there.
    @discardableResult
    public func removeAll(tagged tag: String) -> Bool {
        let generation = Self.newGeneration()
        do throws(SystemError) {
            try makingRoom(for: Self.generationSize) { () throws(SystemError) in
                let file = try makeFile()
                try file.write(generation, at: 0)
                if durability == .powerLoss { try file.synchronize() }
                try file.publish(as: path(ofTag: tag), time: now())
            }
            return true
        } catch {
            report(error, from: path(ofTag: tag), while: .writing)
            return false
        }
    }

    /// Applies the limits now: removes what is too old, the leftovers of killed writers, and the least recently used
    /// entries beyond the size limit.
    public func sweep() {
        sweep(keeping: limits.totalSize)
    }

    /// Returns the number of entries and their size, of all processes. Lists the directory: 60,000 entries take about 0.1 s of
    /// processor time.
    public func contents() -> Contents {
        sweep(keeping: limits.totalSize)?.contents ?? Contents(entries: 0, size: 0)
    }

    /// Lists the directory, so that other processes' entries count, and evicts when it is over the size.
    ///
    /// - Parameter size: The bytes that may stay; nil where all is to go because somebody wants that, which is no eviction.
    /// - Returns: The listing, with what is left; nil if the directory cannot be listed, which is counted and logged.
    @discardableResult
    func sweep(keeping size: Int?, slack: Int = 0, age: Int = .max, sparingUsed: Bool = true) -> DirectorySweep? {
        let mark = total.mark()
        do throws(SystemError) {
            var sweep = try DirectorySweep(
                of: directory, now: now(), limits: limits, age: age, sparingUsed: sparingUsed,
                sparingWritten: size != nil, exclusively: { body in self.naming.withLock { _ in body() } })
            // An entry may be empty, as a power loss leaves it: zero bytes are not nothing.
            let most = size ?? -1
            if sweep.totalSize > most { sweep.evict(to: most - slack) }
            total.restart(at: sweep.totalSize, since: mark)
            didList(evicting: size == nil ? 0 : sweep.removedEntries)
            return sweep
        } catch {
            // There is nothing in a directory that is not there.
            if error.code != ENOENT { report(error, while: .listing) }
            return nil
        }
    }

    private static var generationSize: Int { 16 }

    /// Random bytes: no two generations of a tag are the same, in whatever process they begin.
    private static func newGeneration() -> [UInt8] {
        (0..<generationSize).map { _ in UInt8.random(in: .min ... .max) }
    }

    private func path(ofTag tag: String) -> String {
        "\(directory)/.imagestreams-tag-\(CacheKey([tag]).digest)"
    }
}
