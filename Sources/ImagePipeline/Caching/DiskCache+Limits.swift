extension DiskCache {
    /// The bounds of a cache's size, of its entries' size, and of their age.
    public struct Limits: Sendable, Hashable {
        /// The largest total size of all files, in bytes, whatever the number of processes that write them.
        public var totalSize: Int
        /// The longest time for which an entry is served after it was written, in seconds.
        public var age: Int

        /// The size of the largest file that is kept, in bytes: by default a quarter of all, so that no single entry
        /// empties the cache.
        public var entrySize: Int { totalSize / 4 }

        /// Creates limits of 256 MiB and 30 days by default; one entry may take a quarter of the total size.
        ///
        /// - Parameters:
        ///   - totalSize: The largest total size of all files, in bytes.
        ///   - age: The longest time for which an entry is served, in seconds.
        public init(totalSize: Int = 256 << 20, age: Int = 30 * 86_400) {
            self.totalSize = max(0, totalSize)
            self.age = max(0, age)
        }
    }

    /// The kind of crash that an entry survives once it has been published.
    public enum Durability: Sendable, Hashable {
        /// The process may be killed. After a power loss an entry that was not on the medium yet is a miss.
        case processCrash
        /// The machine may lose power: each entry and its name are on the medium before it counts as published, which takes
        /// milliseconds on many media.
        case powerLoss
    }

    /// Counts of what has happened since the cache was created.
    public struct Statistics: Sendable, Hashable {
        /// The number of entries that were found whole.
        public var hits = 0
        /// The number of entries that were not found, or were found too old or damaged.
        public var misses = 0
        /// The number of entries that were removed because a length or a checksum was wrong.
        public var damaged = 0
        /// The number of entries that were published.
        public var writes = 0
        /// The number of entries that were removed to free space or because of their age; not by ``DiskCache/removeAll()``.
        public var evictions = 0
        /// The number of entries that were not kept because they were larger than the limit for one entry.
        public var refusals = 0
        /// The number of failures of the file system.
        public var errors = 0
    }

    /// The number of entries in a directory, and what they take up. A file counts by its name: somebody else's that is named as an entry is
    /// told from one when room is needed.
    public struct Contents: Sendable, Hashable {
        /// The number of entries.
        public var entries: Int
        /// The size of their files in bytes.
        public var size: Int
    }
}
