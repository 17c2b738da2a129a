import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Keys of requests")
struct RequestKeyTests {
    @Test("No two different requests share a key, and equal ones have the same, however they were made")
    func injective() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var images: [CacheKey: ImageRequest] = [:]
        var bodies: [CacheKey: ImageRequest] = [:]
        for _ in 0..<4_000 {
            let request = request(using: &random)
            if let other = images.updateValue(request, forKey: request.imageKey) {
                #expect(other == request, "seed \(seed)")
            }
            // The bytes are those of every size.
            var whole = request
            whole.rendition = .original
            if let other = bodies.updateValue(whole, forKey: whole.dataKey) { #expect(other == whole, "seed \(seed)") }
            #expect(whole.dataKey == request.dataKey, "seed \(seed)")
        }
        #expect(images.count > 2_000)
    }

    /// Of few words, so that their parts run into each other wherever that is possible.
    private func request(using random: inout SeededGenerator) -> ImageRequest {
        let words = ["", "a", "b", "ab", "for", "url", "file", "data", "identity", "1"]
        func word() -> String { words[Int.random(in: 0..<words.count, using: &random)] }
        func optional() -> String? { Int.random(in: 0..<3, using: &random) == 0 ? word() : nil }
        var request = ImageRequest(.file(word()))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: request.resource = .url(word())
        case 1: request.resource = .data(Array(word().utf8))
        default: break
        }
        request.identity = optional()
        // The resource is no part of the key then.
        if request.identity != nil { request.resource = .url("") }
        request.version = optional()
        request.partition = optional()
        request.headers = (0..<Int.random(in: 0..<3, using: &random)).map { _ in HTTPField(word(), word()) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        if Bool.random(using: &random) {
            request.rendition = .fit(PixelSize(width: Int.random(in: 1...12, using: &random), height: 1))
        }
        return request
    }

    @Test("A request that is kept is hashed once, and so are its copies; one that is changed has another key")
    func computedOnce() {
        struct Counting: ImageProcessor {
            let count: @Sendable () -> Void
            var identifier: String {
                count()
                return "counting"
            }
            func process(_ image: Image) -> Image { image }
        }
        let calls = Mutex(0)
        let step = AnyImageProcessor(Counting { calls.withLock { $0 += 1 } })
        let request = ImageRequest("https://example.org/a.jpg", as: Rendition(processors: [step]))
        let key = request.imageKey
        let once = calls.withLock { $0 }
        var copy = request
        copy.previews = false
        copy.priority = .high
        #expect(request.imageKey == key && copy.imageKey == key)
        #expect(calls.withLock { $0 } == once)
        var keys: Set = [key]
        let changes: [(inout ImageRequest) -> Void] = [
            { $0.version = "2" }, { $0.partition = "Anna" },
            { $0.headers.append(HTTPField("A", "b")) },
            { $0.rendition.enlarges = true }, { $0.rendition = .original }, { $0.resource = .file("a") },
            { $0.identity = "a" },
        ]
        // Enlarging says nothing without a size.
        copy.rendition.targetSize = PixelSize(width: 9, height: 9)
        keys.insert(copy.imageKey)
        for change in changes {
            change(&copy)
            #expect(keys.insert(copy.imageKey).inserted)
        }
        #expect(request.imageKey == key)
    }

    @Test("Keys depend on each field that says what is loaded, the image's on the rendition too, and on no other")
    func fields() {
        var request = ImageRequest("https://example.org/a.jpg", as: .fit(PixelSize(width: 9, height: 9)))
        request.headers = [HTTPField("Accept", "a")]
        typealias Change = (inout ImageRequest) -> Void
        let ofBoth: [Change] = [
            { $0.resource = .url("https://example.org/b.jpg") }, { $0.resource = .file("https://example.org/a.jpg") },
            { $0.resource = .data(Array("https://example.org/a.jpg".utf8)) }, { $0.identity = "a" },
            { $0.version = "" },
            { $0.partition = "" }, { $0.headers = [] }, { $0.headers = [HTTPField("Accept", "b")] },
            { $0.headers.append(HTTPField("Accept", "a")) },
        ]
        let ofTheImage: [Change] = [
            { $0.rendition.targetSize = nil }, { $0.rendition.targetSize = PixelSize(width: 9, height: 8) },
            { $0.rendition.contentMode = .fill(gravity: .centre) }, { $0.rendition.enlarges = true },
            { $0.rendition.filter = .bilinear }, { $0.rendition.quality = .exact }, { $0.rendition.linearLight = true },
            { $0.rendition.keepsDepth = true }, { $0.rendition.appliesGamma = false },
            { $0.rendition.leavesOutScans = false }, { $0.rendition.damage = .refuse },
            { $0.rendition.processors = [.circle] }, { $0.rendition.processors = [.circle, .circle] },
        ]
        let ofNone: [Change] = [
            { $0.delivery = .highQuality }, { $0.priority = .high }, { $0.caching = .reload },
            { $0.storedForm = .png() },
            { $0.limits = TransferLimits() }, { $0.resumption = HTTPResumption(offset: 1, entityTag: "") },
            { $0.headers.append(HTTPField("Cache-Control", "no-cache")) },
            { $0.headers.append(HTTPField("pragma", "no-cache")) },
        ]
        var (bodies, images): (Set<CacheKey>, Set<CacheKey>) = ([request.dataKey], [request.imageKey])
        for (changes, isOfBody, isOfImage) in [(ofBoth, true, true), (ofTheImage, false, true), (ofNone, false, false)]
        {
            for (index, change) in changes.enumerated() {
                var changed = request
                change(&changed)
                #expect(changed != request, "\(index)")
                #expect(bodies.insert(changed.dataKey).inserted == isOfBody, "\(index) of \(changes.count)")
                #expect(images.insert(changed.imageKey).inserted == isOfImage, "\(index) of \(changes.count)")
            }
        }
    }

    @Test("Requests that want different things of caches, servers or time have different transfers")
    func transfers() {
        let request = ImageRequest("http://example.org/a.jpg")
        let directives = [("Cache-Control", "no-cache"), ("Cache-Control", "max-age=0"), ("Pragma", "no-cache")]
        var keys = [request.bodyKey]
        for (name, value) in directives {
            var other = request
            other.headers = [HTTPField(name, value)]
            keys.append(other.bodyKey)
            other.headers = [HTTPField(name.uppercased(), value)]
            #expect(other.bodyKey == keys.last)
            other.limits = TransferLimits(total: .seconds(9))
            keys.append(other.bodyKey)
        }
        #expect(Set(keys).count == 7)
        #expect(!keys.contains(nil))
    }

    @Test("An identity takes the place of a URL that is signed anew each time")
    func identity() {
        func request(_ url: String, _ identity: String?) -> ImageRequest {
            var request = ImageRequest(url)
            request.identity = identity
            return request
        }
        let (first, second) = ("https://example.org/7.jpg?signature=1", "https://example.org/7.jpg?signature=2")
        #expect(request(first, "7").imageKey == request(second, "7").imageKey)
        #expect(request(first, "7").dataKey == request(second, "7").dataKey)
        #expect(request(first, nil).dataKey != request(second, nil).dataKey)
        #expect(request(first, "7").dataKey != request(first, "8").dataKey)
        #expect(request("7", nil).dataKey != request("7", "7").dataKey)
    }
}
