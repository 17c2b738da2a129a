extension DiskCache {
    /// Writes an entry whose body is at hand.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body.
    ///   - key: The key of the entry.
    ///   - metadata: The bytes to store beside the body.
    @discardableResult
    public func store(_ body: [UInt8], for key: CacheKey, metadata: [UInt8] = []) -> Bool {
        guard var writer = writer(for: key, metadata: metadata, expectedLength: body.count) else { return false }
        writer.append(body)
        return writer.publish()
    }

    /// Replaces the bytes stored beside an entry's body, which stays as it is. An entry that was removed or replaced since it was found
    /// is left alone.
    ///
    /// - Parameters:
    ///   - entry: An entry that was found in this cache.
    ///   - metadata: The new bytes.
    /// - Returns: A Boolean value that indicates whether it is in the cache.
    @discardableResult
    public func update(_ entry: DiskEntry, metadata: [UInt8]) -> Bool {
        guard var writer = writer(for: entry.key, metadata: metadata, expectedLength: entry.bodyLength) else {
            return false
        }
        var offset = 0
        while offset < entry.bodyLength {
            guard let chunk = try? entry.chunk(at: offset), !chunk.isEmpty else { return false }
            writer.append(chunk)
            offset += chunk.count
        }
        return writer.publish(replacing: entry)
    }
}
