import Testing

@testable import ImagePipeline

@Suite("Requests")
struct ImageRequestTests {
    @Test(
        "A file's URL becomes its path; one of another host is no file",
        arguments: [
            ("file:///tmp/a.jpg", .file("/tmp/a.jpg")), ("file:///my%20photos/%C3%A4.jpg", .file("/my photos/ä.jpg")),
            ("file://localhost/tmp/a.jpg", .file("/tmp/a.jpg")), ("FILE://LocalHost/a%2525", .file("/a%25")),
            ("file:///100%", .file("/100%")), ("file:///a%4", .file("/a%4")), ("file:///a%zz", .file("/a%zz")),
            ("file:///a%00b", .file("/a%00b")), ("file:///a%FF", .file("/a%FF")),
            ("file://elsewhere/a.jpg", .url("file://elsewhere/a.jpg")),
            ("a%20b.jpg", .file("a%20b.jpg")), ("http://localhost/a%20b", .url("http://localhost/a%20b")),
            // Without a host, and of a host that is an accent, which makes one character of it and the slash before.
            ("file:/a%20b/c.jpg", .file("/a b/c.jpg")), ("file:a.jpg", .file("file:a.jpg")),
            ("file://\u{301}/a.jpg", .url("file://\u{301}/a.jpg")), ("file:///\u{301}a", .file("/\u{301}a")),
            ("http:\u{301}a", .url("http:\u{301}a")),
            // A path that has "://" in it, and what is no path unless it says so.
            ("/tmp/http://a.jpg", .file("/tmp/http://a.jpg")), ("./a://b", .file("./a://b")),
            ("a/b://c", .file("a/b://c")), ("a://b", .url("a://b")), ("://b", .url("://b")),
            // What ends where more of a URL would follow.
            ("/", .file("/")), (":", .file(":")), (":/", .file(":/")), ("c:/", .file("c:/")), ("c:/d", .file("c:/d")),
            ("c://", .url("c://")), ("", .file("")), ("file:/", .file("/")), ("file://", .url("file://")),
            // Ports have one to five digits, and hosts no spaces.
            ("a:", .file("a:")), ("a:0", .url("a:0")), ("a:9/b", .url("a:9/b")), ("a:65535?b", .url("a:65535?b")),
            ("a:123456", .file("a:123456")), ("a:1:2", .file("a:1:2")), ("a:1a", .file("a:1a")),
            ("a b:80", .file("a b:80")), ("a!:80#b", .url("a!:80#b")), ("a@b:80", .file("a@b:80")),
            ("12:30", .url("12:30")), ("./12:30", .file("./12:30")), ("12:30.jpg", .file("12:30.jpg")),
        ] as [(String, ImageRequest.Resource)])
    func fileURLs(text: String, resource: ImageRequest.Resource) {
        #expect(ImageRequest(text).resource == resource)
    }

    @Test("The key of bytes at hand is short, and other bytes have another")
    func keysOfBytes() {
        var bytes = [UInt8](repeating: 7, count: 1 << 20)
        let request = ImageRequest(.data(bytes))
        #expect(request.dataKey.bytes.count < 200 && request.imageKey.bytes.count < 200)
        #expect(ImageRequest(.data(bytes)).imageKey == request.imageKey)
        bytes[1 << 19] = 8
        let keys = [
            request.imageKey, ImageRequest(.data(bytes)).imageKey, ImageRequest(.data([])).imageKey,
            ImageRequest(.data(Array(bytes.dropLast()))).imageKey,
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test("A file that has changed has other keys, if its request says so")
    func versions() {
        var requests = [ImageRequest("a"), ImageRequest("a", headers: [.init("1", "")])]
        for version in ["", "1", "2"] {
            requests.append(ImageRequest("a"))
            requests[requests.count - 1].version = version
            requests.append(ImageRequest("a", headers: [.init("1", "")]))
            requests[requests.count - 1].version = version
        }
        #expect(Set(requests.map(\.imageKey)).count == requests.count)
        #expect(Set(requests.map(\.dataKey)).count == requests.count)
        #expect(Set(requests).count == requests.count)
    }

    @Test("With every scan of a progressive photo decoded, a size is another image of the same bytes")
    func scans() {
        let target = PixelSize(width: 20, height: 20)
        let (some, all) = (
            ImageRequest("a", as: Rendition(targetSize: target)),
            ImageRequest("a", as: Rendition(targetSize: target, leavesOutScans: false))
        )
        #expect(some.imageKey != all.imageKey)
        #expect(some.dataKey == all.dataKey)
    }

    @Test("Exactly decoded, a size is another image of the same bytes")
    func quality() {
        let target = PixelSize(width: 20, height: 20)
        let (standard, exact) = (
            ImageRequest("a", as: Rendition(targetSize: target)),
            ImageRequest("a", as: Rendition(targetSize: target, quality: .exact))
        )
        #expect(standard.imageKey != exact.imageKey)
        #expect(standard.dataKey == exact.dataKey)
        // At its own size every picture is exact.
        #expect(ImageRequest("a").imageKey == ImageRequest("a", as: Rendition(quality: .exact)).imageKey)
    }

    @Test(
        "Logs have no password of a URL, with however many slashes",
        arguments: [
            ("https://me:secret@example.com/a.jpg", "https://example.com/a.jpg"),
            ("https:/me:secret@example.com/a.jpg", "https:/example.com/a.jpg"),
            ("https:///me:secret@example.com/a.jpg", "https:///example.com/a.jpg"),
            ("https:\\\\me:secret@example.com/a.jpg", "https:\\\\example.com/a.jpg"),
            ("http:me:secret@example.com/", "http:example.com/"), ("https://example.com/a@2x.jpg", nil),
            ("https://example.com:80", nil), ("https://example.com/a:b@c/d.jpg", nil),
            // Signs that should have been encoded.
            ("https://me:secret/x@example.com/a.jpg?b", "https://example.com/a.jpg"),
            ("https://me:secret?x@example.com/a.jpg?b", "https://example.com/a.jpg"),
            ("https://me:secret#x@example.com/a.jpg", "https://example.com/a.jpg"), ("https://me:secret", "https://"),
            ("https://me:s@cret/x@example.com", "https://"), ("https://me:secret@example.com/a@2x.jpg", "https://"),
            ("https://me@example.com:secret/x@example.com:80", "https://example.com:80"),
            ("https://me:secret]/x@example.com", "https://example.com"),
            ("https: //me:secret@example.com", "https: //example.com"),
            ("https:\t/\n/me:secret@example.com", "https:\t/\n/example.com"),
            ("http://https://me:secret@example.com/a.jpg", "http://example.com/a.jpg"),
            ("http://https://example.com/a.jpg", nil),
            // Without a scheme, as proxies are written.
            ("me:secret@example.com", "example.com"), ("me:secret/x@example.com:80", "example.com:80"),
            ("example.com:80/a@2x.jpg", nil), ("data:image/png;base64,AAAA", nil),
            ("https://[::1]:80/a@2x.jpg", nil), ("https://[::1]/a@2x.jpg", nil), ("https://example.com:/a@2x.jpg", nil),
        ] as [(String, String?)])
    func passwords(url: String, logged: String?) {
        #expect(ImageRequest(.url(url)).logName == logged ?? url)
    }
}
