import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What the standard loader does unless it is told otherwise")
struct StandardLoaderTests {
    /// A directory that notes the keys that it is asked for.
    private struct NotingStore: ForwardingStore {
        let cache: DiskCache
        let keys = Keys()

        func storedBody(for key: CacheKey) throws -> (any StoredBody)? {
            keys.noted.withLock { _ = $0.insert(key) }
            return cache.storedBody(for: key)
        }
    }

    private final class Keys: Sendable {
        let noted = Mutex<Set<CacheKey>>([])
    }

    @Test("A store is asked for placeholders only where they are wanted", arguments: [nil, false, true] as [Bool?])
    func placeholders(areWanted: Bool?) throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg", .resource(gallery.photo, contentType: "image/jpeg", cacheControl: "max-age=60"))
        let terms = StoreTerms(timeLimit: .seconds(3_600))
        let store = NotingStore(cache: DiskCache(directory: gallery.directory.path, terms: terms))
        let transport = CurlTransport.patient()
        let loader = areWanted.map { ImageLoader.standard(transport: transport, disk: store, placeholders: $0) }
        let request = gallery.request("/a.jpg")
        _ = gallery.load(request, from: loader ?? .standard(transport: transport, disk: store))
        func isNoted(_ key: CacheKey) -> Bool { store.keys.noted.withLock { $0.contains(key) } }
        #expect(isNoted(request.dataKey))
        if areWanted == true {
            #expect(comesTrue { isNoted(request.placeholderKey) })
        } else {
            #expect(!isNoted(request.placeholderKey))
        }
    }
}
