import ImagePipeline
import Testing

@Suite("Stored bodies are validated as HTTP says")
struct HTTPValidationTests {
    private let origin = HTTPOrigin()

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
        await origin.expect("v1", requests: 1)
        origin.now += 61
        origin.answers(with: [("Cache-Control", "max-age=600")])
        await origin.expect("v1", requests: 1)
        origin.now += 599
        await origin.expect("v1", requests: 0)
        origin.now += 2
        origin.version = 2
        origin.answers { request, now in
            .init(
                status: request.validators == nil ? 200 : 304,
                headers: [("ETag", "\"other\""), ("Date", HTTPOrigin.date(now))])
        }
        await origin.expect("v2", requests: 2)
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

    @Test("Both validators are sent as they came, weak ones too")
    func validators() async {
        let date = HTTPOrigin.date(origin.now - 500)
        origin.answers { _, now in
            .init(headers: [("ETag", "W/\"a\""), ("Last-Modified", date), ("Date", HTTPOrigin.date(now))])
        }
        await origin.expect("v1", requests: 1)
        origin.now += 1_000
        await origin.expect("v1", requests: 1)
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
        await origin.expect("v1", requests: 1)
        origin.now += 61
        origin.answers(with: [("Cache-Control", "no-store")])
        await origin.expect("v1", requests: 1)
        #expect(origin.directory.names.isEmpty)
    }
}
