import Files

// Orders of photos within a listing, and between two of them: negative where the first comes first, 0 for one place.
extension Listing {
    /// By name, then folder.
    static func orderByName(_ first: Listing, _ one: Int, _ second: Listing, _ other: Int) -> Int {
        let names = orderOfNames(first, one, second, other)
        return names != 0 ? names : orderOfFolders(first, one, second, other)
    }

    private static func orderOfFolders(_ first: Listing, _ one: Int, _ second: Listing, _ other: Int) -> Int {
        let (left, right) = (Int(first.record(at: one).folder), Int(second.record(at: other).folder))
        if first === second { return left - right }
        return first.folders[left].path.byteOrder(second.folders[right].path)
    }

    private static func orderOfNames(_ first: Listing, _ one: Int, _ second: Listing, _ other: Int) -> Int {
        first.withName(of: one) { left in second.withName(of: other) { left.order($0) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Byte by byte; the shorter one first where it is the longer one's beginning.
    func order(_ other: UnsafeRawBufferPointer) -> Int {
        guard let own = baseAddress, let others = other.baseAddress else { return count - other.count }
        let order = memcmp(own, others, Swift.min(count, other.count))
        return order != 0 ? Int(order) : count - other.count
    }
}

extension String {
    /// By the bytes of UTF-8: texts that only look alike are different names to a file system.
    func byteOrder(_ other: String) -> Int {
        var (own, others) = (self, other)
        return own.withUTF8 { left in
            others.withUTF8 { UnsafeRawBufferPointer(left).order(UnsafeRawBufferPointer($0)) }
        }
    }
}
