import Files

/// Files and directories by system calls.
public enum FileSystem {
    /// What one name in a directory stands for.
    public enum Entry {
        case file
        case directory
        case other
    }

    /// Which file this is, how long it is and when it was changed last.
    public struct Status: Equatable {
        public let identity: FileIdentity
        public let size: Int
        /// Nanoseconds since 1970; at most what an `Int` holds, which is a date in 2262.
        public let modified: Int
        public let entry: Entry

        public init(_ status: stat) {
            identity = FileIdentity(status)
            size = Int(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            modified = FileSystem.nanoseconds(time)
            entry =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .directory
                default: .other
                }
        }
    }

    /// What a path leads to; `nil` with `errno` set if it leads nowhere.
    public static func status(_ path: String, followsLinks: Bool = true) -> Status? {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        return Status(status)
    }

    /// Names in a directory, sorted, those that are not UTF-8 as `nil`; `nil` with `errno` set if it cannot be read.
    public static func names(in directory: String) -> [String?]? {
        var names: [String?] = []
        do throws(SystemError) {
            try Directory.forEachName(in: directory) { names.append($0) }
        } catch {
            errno = error.code
            return nil
        }
        return names.sorted { ($0 ?? "") < ($1 ?? "") }
    }

    /// Nanoseconds since 1970.
    public static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// When the machine was started, in nanoseconds since 1970 by the clock as it is set now.
    static let startOfSystem: Int = {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return now - nanoseconds(time)
    }()

    private static func nanoseconds(_ time: timespec) -> Int {
        let (whole, isBeyond) = Int(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyondToo) = whole.addingReportingOverflow(Int(time.tv_nsec))
        return isBeyond || isBeyondToo ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
