#if os(Linux)
    import Files

    /// The bytes of this process that are in memory, in whole pages; `Int.max` where the system does not say.
    package var residentMemory: Int {
        guard let file = try? FileDescriptor.reading("/proc/self/statm"), let bytes = try? file.read(200, at: 0),
            case let words = String(decoding: bytes, as: UTF8.self).split(separator: " "), words.count > 1,
            let pages = Int(words[1])
        else { return .max }
        return pages * Int(getpagesize())
    }
#endif
