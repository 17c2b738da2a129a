import Files

/// Pages of two megabytes for large pictures: of small ones every first write is an exception, 5,000 of them for ten sizes of a photo.
enum LargePages {
    private static let size = 2 << 20

    /// Asks the kernel for them, where memory that is about to be filled consists of whole ones.
    ///
    /// - Parameters:
    ///   - memory: The first byte.
    ///   - count: The number of bytes.
    static func prefer(at memory: UnsafeRawPointer?, _ count: Int) {
        #if os(Linux)
            guard count >= size else { return }
            let memory = Int(bitPattern: memory)
            let (first, end) = ((memory + size - 1) / size * size, (memory + count) / size * size)
            // Advice: small pages do as well.
            if first < end { _ = madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_HUGEPAGE) }
        #endif
    }
}
