import Files

/// The memory that this process may use: the machine's, or what its control group (cgroup) is limited to.
public struct MachineMemory: Sendable {
    /// The memory of this process.
    public static let current = MachineMemory(root: "")

    /// The standard limit of a cache's cost: a fifth of the memory, 512 MiB at most.
    public static let standardCacheLimit = current.cacheLimit

    /// The bytes that this process and its group may use together.
    public let limit: Int

    /// A fifth of it, 512 MiB at most.
    var cacheLimit: Int { min(limit / 5, 512 << 20) }

    private let root: String

    /// - Parameter root: The directory that stands for the root of the file system.
    init(root: String) {
        self.root = root
        let physical = Self.field("MemTotal:", in: root + "/proc/meminfo").map { $0 << 10 } ?? 1 << 30
        // "max", or more than there is: no limit.
        let limits = Self.directories(root: root).compactMap { directory in
            Self.number("\(directory)/memory.max") ?? Self.number("\(directory)/memory.limit_in_bytes")
        }
        limit = limits.reduce(physical, min)
    }

    /// The share of the memory that is in use and cannot be had back at once, from 0 to 1: the machine's, or that of the group's limit
    /// where it is larger. What files were read lately is had back at once.
    var usedShare: Double {
        let groups = Self.directories(root: root).compactMap { directory -> Double? in
            guard let limit = Self.number("\(directory)/memory.max"), limit > 0,
                let used = Self.number("\(directory)/memory.current")
            else { return nil }
            let files = Self.field("inactive_file", in: "\(directory)/memory.stat") ?? 0
            return Double(used - files) / Double(limit)
        }
        let path = root + "/proc/meminfo"
        guard let total = Self.field("MemTotal:", in: path), total > 0,
            let available = Self.field("MemAvailable:", in: path)
        else { return groups.max() ?? 0 }
        return groups.reduce(1 - Double(available) / Double(total), max)
    }

    /// The files in which the kernel counts the time that programs have waited for memory: the group's, and the machine's.
    var pressurePaths: [String] {
        Self.directories(root: root).prefix(1).map { $0 + "/memory.pressure" } + [root + "/proc/pressure/memory"]
    }

    /// The directories of this process's group and those around it, of cgroup v2 and of v1's memory controller.
    private static func directories(root: String) -> [String] {
        lines(root + "/proc/self/cgroup").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let mount: String
            if parts[0] == "0", parts[1].isEmpty {
                mount = root + "/sys/fs/cgroup"
            } else if parts[1].split(separator: ",").contains("memory") {
                mount = root + "/sys/fs/cgroup/memory"
            } else {
                return []
            }
            var names = parts[2].split(separator: "/")
            var directories: [String] = []
            while true {
                directories.append(([mount[...]] + names).joined(separator: "/"))
                guard names.popLast() != nil else { return directories }
            }
        }
    }

    private static func number(_ path: String) -> Int? {
        lines(path).first.flatMap { Int($0) }
    }

    /// The number behind a name at the beginning of a line.
    private static func field(_ name: String, in path: String) -> Int? {
        for line in lines(path) {
            let words = line.split(separator: " ", maxSplits: 2)
            if words.count > 1, words[0] == name { return Int(words[1]) }
        }
        return nil
    }

    private static func lines(_ path: String) -> [Substring] {
        guard let file = try? FileDescriptor.reading(path),
            let bytes = try? file.read(FileDescriptor.chunkSize, at: 0)
        else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }
}
