import ImagePipeline

// Hits as a client has them. Nothing that one runs may be left generic: scripts/fused looks.

public func value(_ cache: MemoryCache<Int, [UInt8]>, _ key: Int) -> [UInt8]? { cache.value(forKey: key) }

public func hit(_ cache: MemoryCache<Int, [UInt8]>, _ key: Int) -> Bool { cache.hit(forKey: key)?.isFresh ?? false }
