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
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +1994 08:49:37 GMT",
            "Sun, 06 Nov -1994 08:49:37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT", "Sun, 06 Nov 1994 08:+9:37 GMT",
            "Sun, 06 Nov 1994 08:49:+7 GMT", "Sun, 06 Nov 1994 -08:49:37 GMT", "Sunday, 06-Nov-+4 08:49:37 GMT",
            "Sunday, +6-Nov-94 08:49:37 GMT", "Sun Nov +6 08:49:37 1994", "Sun Nov -6 08:49:37 1994",
            "Sun Nov  6 08:49:37 +1994", "Sunday, -06-Nov-94 08:49:37 GMT", "Sunday, 06--Nov-94 08:49:37 GMT",
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
        let within = CacheDirectives([HTTPField("Cache-Control", "a=b\"c, no-store, d\", e=\"f, g\", h = \"i, j\"")])
        #expect(
            within.has("no-store") && within.has("e") && within.has("h") && !within.has("g\"") && !within.has("j\""))
    }

    @Test(
        "What a directive says is all behind its first equals sign; what is no number of seconds makes it stale",
        arguments: [
            ("max-age=5", 5), ("max-age = 5", 5), ("max-age=05", 5), ("max-age=5=6", 0), ("max-age==5", 0),
            ("max-age=5=", 0), ("max-age=", 0), ("max-age", 0), ("max-age=+5", 0), ("max-age=-5", 0),
            ("max-age=5s", 0), ("max-age=5 6", 0), ("max-age=\"5", 0), ("max-age=5, max-age=5", 5),
            ("max-age=5, max-age=6", 0),
            ("max-age=2147483647", 2_147_483_647), ("max-age=2147483649", 2_147_483_648),
            ("max-age=99999999999999999999", 2_147_483_648), ("s-maxage=5", nil), ("=", nil), ("", nil),
        ] as [(String, Int?)])
    func argument(text: String, seconds: Int?) {
        #expect(CacheDirectives([HTTPField("Cache-Control", text)]).seconds("max-age") == seconds)
    }

    @Test(
        "A status line says the version, of several heads the last one's, and is no field whatever its words",
        arguments: [
            (["HTTP/2 200"], false, false), (["HTTP/1.1 200 OK"], true, false),
            (["HTTP/1.0 200 a: b"], true, false),
            (["HTTP/2 200 a: b", "Content-Length: 3"], false, true),
            (["HTTP/1.1 200", "Content-Length: 3"], true, true),
            (["HTTP/1.1 103 a: b", "Content-Length: 3", "", "HTTP/1.1 200 OK"], true, false),
            (["HTTP/2 103", "", "HTTP/1.1 200 OK"], true, false),
            (["HTTP/1.1 103", "", "HTTP/2 200"], false, false),
        ])
    func versions(lines: [String], isFirst: Bool, hasLength: Bool) {
        var parser = HeadParser()
        for line in lines + [""] {
            let isEnd = Array("\(line)\r\n".utf8).withUnsafeBytes { parser.append($0) }
            #expect(isEnd == line.isEmpty)
        }
        #expect(parser.isHTTP1 == isFirst)
        #expect(parser.fields.map(\.name) == (hasLength ? ["Content-Length"] : []))
        // From HTTP/2 on it depends on libcurl.
        if isFirst || hasLength { #expect(parser.isDelimited == hasLength) }
        #expect(parser.byteCount == lines.reduce(2) { $0 + $1.utf8.count + 2 })
    }
}
