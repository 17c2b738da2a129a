import Files

/// Pages of two megabytes for large pictures: of small ones every first write is an exception, 5,000 of them for ten sizes of a photo.
enum LargePages {
    private static let size = 2 << 20

    /// Asks the kernel for them, where an array's memory consists of whole ones.
    ///
    /// - Parameter bytes: An array, still empty, that is about to be filled to its capacity where it lies.
    static func prefer(for bytes: [UInt8]) {
        #if os(Linux)
            guard bytes.capacity >= size else { return }
            let memory = bytes.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
            let (first, end) = ((memory + size - 1) / size * size, (memory + bytes.capacity) / size * size)
            // Advice: small pages do as well.
            if first < end { _ = madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, MADV_HUGEPAGE) }
        #endif
    }
}
