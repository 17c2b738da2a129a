import Testing

@testable import ImagePipeline

@Suite("What header fields say")
struct HTTPTextTests {
    @Test("A date is read in any of its three forms")
    func dates() {
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds("Sun Nov  6 08:49:37 1994") == 784_111_777)
        // The day of the week says nothing.
        for (short, full) in [("70", "1970"), ("99", "1999"), ("00", "2000"), ("69", "2069")] {
            let long = HTTPDate.seconds("Sun, 06 Nov \(full) 08:49:37 GMT")
            #expect(long != nil)
            #expect(HTTPDate.seconds("Sunday, 06-Nov-\(short) 08:49:37 GMT") == long)
        }
        for text in [
            "", "0", "Sun, 06 Nov 1994 08:49:37 CET", "Sun Nov  6 08:49 1994", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Non 1994 08:49:37 GMT", "Sun, 06 Nov 1899 08:49:37 GMT", "Sun, 06 Nov 10000 08:49:37 GMT",
        ] {
            #expect(HTTPDate.seconds(text) == nil, "\(text)")
        }
    }

    @Test("A comma between quotation marks parts no directives")
    func quoted() {
        let directives = CacheDirectives([
            HTTPField("Cache-Control", "private=\"set-cookie, max-age=1\", max-age=30")
        ])
        #expect(directives.seconds("max-age") == 30)
        #expect(directives.has("private"))
        #expect(!directives.has("set-cookie"))
        let plain = CacheDirectives([HTTPField("Cache-Control", "a, bc, def, \"g, h\", max-age=30, i")])
        #expect(["a", "bc", "def", "max-age", "i"].allSatisfy(plain.has))
        #expect(!plain.has("h") && !plain.has("h\""))
        #expect(CacheDirectives([HTTPField("Cache-Control", "max-age=\"40\"")]).seconds("max-age") == 40)
    }
}
