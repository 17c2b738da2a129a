import ImagePipeline
import Testing

@Suite("Bodies on disk for as long as HTTP allows")
struct HTTPCacheTests {
    private let origin = HTTPOrigin()

    @Test("A fresh response is served without asking, and validated when its time is over")
    func maxAge() async {
        origin.answers(with: [("Cache-Control", "max-age=60")])
        await origin.expect("v1", requests: 1)
        origin.now += 59
        await origin.expect("v1", requests: 0)
        origin.now += 2
        await origin.expect("v1", requests: 1)
        #expect(origin.requests.last?.validators == HTTPValidators(entityTag: "\"1\"", lastModified: nil))
        // The 304 counts as new.
        origin.now += 50
        await origin.expect("v1", requests: 0)
        origin.version = 2
        origin.now += 50
        await origin.expect("v2", requests: 1)
        await origin.expect("v2", requests: 0)
    }

    @Test("Without max-age Expires counts, and without that a tenth of the age at arrival")
    func lifetimes() async {
        let start = origin.now
        for (headers, lifetime) in [
            ([("Expires", HTTPOrigin.date(start + 100))], 100), ([("Expires", "0")], 0),
            ([("Expires", HTTPOrigin.date(start + 100)), ("Expires", HTTPOrigin.date(start + 200))], 0),
            ([("Cache-Control", "max-age=5"), ("Expires", HTTPOrigin.date(start + 100))], 5),
            ([("Cache-Control", "max-age=5, max-age=9")], 0), ([("Cache-Control", "max-age=x")], 0),
            ([("Cache-Control", "s-maxage=100")], 0), ([("Cache-Control", "private, max-age=7")], 7),
            ([("Last-Modified", HTTPOrigin.date(start - 1000))], 100), ([], 0),
            ([("Age", "40"), ("Cache-Control", "max-age=60")], 20),
            ([("Age", "40, 0"), ("Cache-Control", "max-age=60")], 20),
            ([("Age", "40"), ("Age", "0"), ("Cache-Control", "max-age=60")], 20),
            ([("Cache-Control", #"x="a\"b", no-cache, max-age=60"#)], 0),
            ([("Cache-Control", #"x="a, no-cache, max-age=60"#)], 0),
            ([("Cache-Control", #"x="a, no-cache", max-age=60"#)], 60),
        ] as [([(String, String)], Int)] {
            let origin = HTTPOrigin()
            origin.answers(with: headers)
            _ = await origin.load()
            if lifetime > 0 {
                origin.now += lifetime - 1
                #expect(await origin.load().requests == 0, "\(headers)")
                origin.now += 1
            }
            #expect(await origin.load().requests == 1, "\(headers)")
        }
    }

    @Test("A clock that is set back makes nothing younger")
    func clockSetBack() async {
        origin.answers(with: [("Cache-Control", "max-age=60")])
        await origin.expect("v1", requests: 1)
        origin.now -= 10_000
        await origin.expect("v1", requests: 1)
    }

    @Test("no-store keeps nothing, no-cache keeps and always asks, immutable does not ask on a reload")
    func directives() async {
        origin.answers(with: [("Cache-Control", "no-store, max-age=60")])
        await origin.expect("v1", requests: 1)
        #expect(origin.directory.names.isEmpty)
        origin.answers(with: [("Cache-Control", "no-cache, max-age=60")])
        await origin.expect("v1", requests: 1)
        await origin.expect("v1", requests: 1)
        #expect(origin.requests.last?.validators != nil)
        let reload = HTTPField("Cache-Control", "max-age=0")
        let immutable = HTTPOrigin()
        immutable.answers(with: [("Cache-Control", "max-age=60, immutable")])
        #expect(await immutable.load([reload]).requests == 1)
        #expect(await immutable.load([reload]).requests == 0)
        immutable.now += 61
        #expect(await immutable.load([reload]).requests == 1)
    }

    @Test("A request without directives of its own may say the same as no-cache in the old way")
    func pragma() async {
        origin.answers(with: [("Cache-Control", "max-age=60")])
        await origin.expect("v1", requests: 1)
        await origin.expect("v1", requests: 1, [HTTPField("Pragma", "No-Cache")])
        await origin.expect("v1", requests: 0, [HTTPField("Pragma", "other")])
        await origin.expect(
            "v1", requests: 0, [HTTPField("Pragma", "no-cache"), HTTPField("Cache-Control", "max-age=30")])
    }

    @Test("A request's own directives are heeded, of what any other request has stored")
    func requestDirectives() async {
        for (request, age, requests) in [
            ("no-cache", 0, 1), ("max-age=10", 9, 0), ("max-age=10", 11, 1), ("min-fresh=10", 49, 0),
            ("min-fresh=10", 51, 1), ("max-stale=10", 69, 0), ("max-stale=10", 71, 1), ("max-stale", 7_000, 0),
            ("only-if-cached", 59, 0),
        ] {
            let origin = HTTPOrigin()
            origin.answers(with: [("Cache-Control", "max-age=60")])
            _ = await origin.load()
            origin.now += age
            let load = await origin.load([HTTPField("Cache-Control", request)])
            #expect((try? load.text.get()) == "v1", "\(request) at \(age)")
            #expect(load.requests == requests, "\(request) at \(age)")
        }
        let onlyIfCached = HTTPField("Cache-Control", "only-if-cached")
        for hasStale in [false, true] {
            let origin = HTTPOrigin()
            origin.answers(with: [("Cache-Control", "max-age=60")])
            if hasStale { _ = await origin.load() }
            origin.now += 61
            let load = await origin.load([onlyIfCached])
            guard case .failure(.notCached) = load.text, load.requests == 0 else {
                Issue.record("a miss is an error of its own: \(load)")
                continue
            }
        }
        let discreet = HTTPOrigin()
        discreet.answers(with: [("Cache-Control", "max-age=60")])
        _ = await discreet.load([HTTPField("Cache-Control", "no-store")])
        #expect(discreet.directory.names.isEmpty)
        origin.answers(with: [("Cache-Control", "max-age=60, must-revalidate")])
        let patient = HTTPField("Cache-Control", "max-stale")
        _ = await origin.load([patient])
        origin.now += 61
        #expect(await origin.load([patient]).requests == 1, "must-revalidate forbids stale ones")
    }

    @Test("An error is replaced by a stale response only where that was allowed, and for as long")
    func staleIfError() async {
        for (directives, late, isServed) in [
            ("max-age=60, stale-if-error=100", 100, true), ("max-age=60, stale-if-error=100", 102, false),
            ("max-age=60", 1, false), ("max-age=60, stale-if-error=100, must-revalidate", 1, false),
        ] {
            for failure in [LoadError.status(503), .status(500), .transport(.truncated(received: 1))] {
                let origin = HTTPOrigin()
                origin.answers(with: [("Cache-Control", directives)])
                _ = await origin.load()
                origin.now += 60 + late
                origin.answers { _, _ in .init(failure: failure) }
                let load = await origin.load()
                #expect(((try? load.text.get()) == "v1") == isServed, "\(directives) \(late) \(failure)")
            }
        }
    }

    @Test("Who wants nothing old gets nothing stale for an error, though the response allows it")
    func staleIfErrorUnwanted() async {
        for (name, value, isServed) in [
            ("Cache-Control", "no-cache", false), ("Pragma", "no-cache", false), ("Cache-Control", "max-age=0", false),
            ("Cache-Control", "max-age=65", false), ("Cache-Control", "min-fresh=1", false),
            ("Cache-Control", "max-age=100", true), ("Cache-Control", "max-age=0, stale-if-error=0", true),
            ("Cache-Control", "no-cache, stale-if-error=100", false),
        ] {
            let origin = HTTPOrigin()
            origin.answers(with: [("Cache-Control", "max-age=60, stale-if-error=100")])
            _ = await origin.load()
            origin.now += 70
            origin.answers { _, _ in .init(failure: .status(503)) }
            let load = await origin.load([HTTPField(name, value)])
            #expect(((try? load.text.get()) == "v1") == isServed, "\(name): \(value)")
        }
    }

    @Test("A server whose clock is ahead makes nothing fresh for longer than a tenth of the time that has passed")
    func dateAhead() async {
        let changed = HTTPOrigin.date(origin.now - 1_000)
        origin.answers { _, _ in
            .init(headers: [("Date", "Fri, 31 Dec 9999 23:59:59 GMT"), ("Last-Modified", changed)])
        }
        await origin.expect("v1", requests: 1)
        origin.now += 99
        await origin.expect("v1", requests: 0)
        origin.now += 1
        await origin.expect("v1", requests: 1)
    }

    @Test("What depends on more than the request's fields is not kept")
    func varyAll() async {
        origin.answers(with: [("Cache-Control", "max-age=60"), ("Vary", "*")])
        await origin.expect("v1", requests: 1)
        await origin.expect("v1", requests: 1)
        origin.answers(with: [("Cache-Control", "max-age=60"), ("Vary", "Accept-Language, Origin")])
        await origin.expect("v1", requests: 1)
        await origin.expect("v1", requests: 0)
        #expect(await origin.load([HTTPField("Accept-Language", "de")]).requests == 1)
        #expect(await origin.load([HTTPField("Accept-Language", "de")]).requests == 0)
    }
}
