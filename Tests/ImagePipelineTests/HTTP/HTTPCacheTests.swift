import ImagePipeline
import Testing

@Suite("Bodies on disk for as long as HTTP allows")
struct HTTPCacheTests {
    private let origin = HTTPOrigin()

    private func expect(
        _ text: String, requests: Int, _ headers: [HTTPField] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let load = await origin.load(headers)
        #expect((try? load.text.get()) == text, "\(load.text)", sourceLocation: sourceLocation)
        #expect(load.requests == requests, sourceLocation: sourceLocation)
    }

    @Test("A fresh response is served without asking, and validated when its time is over")
    func maxAge() async {
        origin.answers(with: [("Cache-Control", "max-age=60")])
        await expect("v1", requests: 1)
        origin.now += 59
        await expect("v1", requests: 0)
        origin.now += 2
        await expect("v1", requests: 1)
        #expect(origin.requests.last?.validators == HTTPValidators(entityTag: "\"1\"", lastModified: nil))
        // The 304 counts as new.
        origin.now += 50
        await expect("v1", requests: 0)
        origin.version = 2
        origin.now += 50
        await expect("v2", requests: 1)
        await expect("v2", requests: 0)
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
        await expect("v1", requests: 1)
        origin.now -= 10_000
        await expect("v1", requests: 1)
    }

    @Test("no-store keeps nothing, no-cache keeps and always asks, immutable does not ask on a reload")
    func directives() async {
        origin.answers(with: [("Cache-Control", "no-store, max-age=60")])
        await expect("v1", requests: 1)
        #expect(origin.directory.names.isEmpty)
        origin.answers(with: [("Cache-Control", "no-cache, max-age=60")])
        await expect("v1", requests: 1)
        await expect("v1", requests: 1)
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
        await expect("v1", requests: 1)
        await expect("v1", requests: 1, [HTTPField("Pragma", "No-Cache")])
        await expect("v1", requests: 0, [HTTPField("Pragma", "other")])
        await expect("v1", requests: 0, [HTTPField("Pragma", "no-cache"), HTTPField("Cache-Control", "max-age=30")])
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

    @Test("404 and 410 on a validation end the entry, and other errors do not")
    func gone() async {
        for (status, stays) in [(404, false), (410, false), (500, true), (403, true)] {
            let origin = HTTPOrigin()
            origin.answers(with: [("Cache-Control", "max-age=60")])
            _ = await origin.load()
            origin.now += 61
            origin.answers { _, _ in .init(status: status) }
            guard case .failure(.status(status)) = await origin.load().text else {
                Issue.record("the status is the error")
                continue
            }
            #expect(origin.directory.names.isEmpty == !stays)
        }
    }

    @Test("A 304 merges its fields, and one that is said of another response is asked again without condition")
    func merging() async {
        origin.answers(with: [("Cache-Control", "max-age=60"), ("X-A", "1")])
        await expect("v1", requests: 1)
        origin.now += 61
        origin.answers(with: [("Cache-Control", "max-age=600")])
        await expect("v1", requests: 1)
        origin.now += 599
        await expect("v1", requests: 0)
        origin.now += 2
        origin.version = 2
        origin.answers { request, now in
            .init(
                status: request.validators == nil ? 200 : 304,
                headers: [("ETag", "\"other\""), ("Date", HTTPOrigin.date(now))])
        }
        await expect("v2", requests: 2)
    }

    @Test("A 304 that names none of the stored validators is said of another response")
    func otherValidators() async {
        let (old, new) = (HTTPOrigin.date(origin.now - 500), HTTPOrigin.date(origin.now - 400))
        for (stored, named, requests) in [
            ([("Last-Modified", old)], [("Last-Modified", new)], 2), ([("Last-Modified", old)], [("ETag", "\"a\"")], 2),
            ([("Last-Modified", old)], [], 1), ([("Last-Modified", old)], [("Last-Modified", old)], 1),
            ([("ETag", "\"a\""), ("Last-Modified", old)], [("ETag", "\"a\""), ("Last-Modified", new)], 1),
            ([("ETag", "\"a\""), ("Last-Modified", old)], [("Last-Modified", new)], 2),
            ([("ETag", "W/\"a\"")], [("ETag", "\"a\"")], 1),
        ] as [([(String, String)], [(String, String)], Int)] {
            let origin = HTTPOrigin()
            origin.answers { request, now in
                let isKnown = request.validators != nil
                return .init(
                    status: isKnown ? 304 : 200, headers: (isKnown ? named : stored) + [("Date", HTTPOrigin.date(now))])
            }
            _ = await origin.load()
            origin.now += 1_000
            let load = await origin.load()
            #expect((try? load.text.get()) == "v1")
            #expect(load.requests == requests, "\(stored) and \(named)")
            // The tag that bytes have come with stays theirs.
            origin.now += 1_000
            _ = await origin.load()
            let tag = stored.first { $0.0 == "ETag" }?.1
            #expect(origin.requests.last { $0.validators != nil }?.validators?.entityTag == tag)
        }
    }

    @Test("A server whose clock is ahead makes nothing fresh for longer than a tenth of the time that has passed")
    func dateAhead() async {
        let changed = HTTPOrigin.date(origin.now - 1_000)
        origin.answers { _, _ in
            .init(headers: [("Date", "Fri, 31 Dec 9999 23:59:59 GMT"), ("Last-Modified", changed)])
        }
        await expect("v1", requests: 1)
        origin.now += 99
        await expect("v1", requests: 0)
        origin.now += 1
        await expect("v1", requests: 1)
    }

    @Test("Both validators are sent as they came, weak ones too")
    func validators() async {
        let date = HTTPOrigin.date(origin.now - 500)
        origin.answers { _, now in
            .init(headers: [("ETag", "W/\"a\""), ("Last-Modified", date), ("Date", HTTPOrigin.date(now))])
        }
        await expect("v1", requests: 1)
        origin.now += 1_000
        await expect("v1", requests: 1)
        let validators = HTTPValidators(entityTag: "W/\"a\"", lastModified: date)
        #expect(origin.requests.last?.validators == validators)
    }

    @Test("A 304 about what has left the cache is asked again without condition, once, and then is an error")
    func notThere() async {
        for comesBack in [true, false] {
            let origin = HTTPOrigin()
            origin.answers(with: [("Cache-Control", "max-age=60")])
            _ = await origin.load()
            origin.now += 61
            origin.answers { request, now in
                DiskCache(directory: origin.directory.path).removeAll()
                let isSame = request.validators != nil || !comesBack
                return .init(status: isSame ? 304 : 200, headers: [("Date", HTTPOrigin.date(now)), ("ETag", "\"1\"")])
            }
            let load = await origin.load()
            #expect(load.requests == 2)
            if comesBack {
                #expect((try? load.text.get()) == "v1")
            } else if case .failure(.status(304)) = load.text {
            } else {
                Issue.record("\(load.text)")
            }
        }
    }

    @Test("A 304 that says no-store ends the entry, whose body is served once more")
    func confirmedNoStore() async {
        origin.answers(with: [("Cache-Control", "max-age=60")])
        await expect("v1", requests: 1)
        origin.now += 61
        origin.answers(with: [("Cache-Control", "no-store")])
        await expect("v1", requests: 1)
        #expect(origin.directory.names.isEmpty)
    }

    @Test("What depends on more than the request's fields is not kept")
    func varyAll() async {
        origin.answers(with: [("Cache-Control", "max-age=60"), ("Vary", "*")])
        await expect("v1", requests: 1)
        await expect("v1", requests: 1)
        origin.answers(with: [("Cache-Control", "max-age=60"), ("Vary", "Accept-Language, Origin")])
        await expect("v1", requests: 1)
        await expect("v1", requests: 0)
        #expect(await origin.load([HTTPField("Accept-Language", "de")]).requests == 1)
        #expect(await origin.load([HTTPField("Accept-Language", "de")]).requests == 0)
    }
}
