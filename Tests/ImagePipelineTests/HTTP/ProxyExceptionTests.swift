import Testing

@testable import ImagePipeline

@Suite("Hosts that the environment excepts from its proxy")
struct ProxyExceptionTests {
    private func isExcepted(_ url: String, by list: String) throws -> Bool {
        let url = try TransferURL(url)
        return ProxyException.list(list).contains { $0.covers(url) }
    }

    @Test(
        "An entry excepts what it names",
        arguments: [
            ("*", "http://a.example/"), ("a.example", "http://a.example/"), ("a.example", "http://b.a.example/"),
            (".a.example", "http://a.example/"), ("A.Example", "http://a.example/"),
            ("a.example.", "http://a.example/"),
            ("a.example", "http://a.example./"), ("localhost", "http://localhost.:8080/"), ("b, a", "http://a/"),
            ("b\ta", "http://a/"), ("a:8080", "http://a:8080/"), ("a:80", "http://a/"),
            ("10.1.2.3", "http://10.1.2.3/"),
            ("10.1.2.3:80", "http://10.1.2.3/"), ("10.0.0.0/8", "http://10.255.0.1/"), ("::1", "http://[::1]/"),
            ("[::1]", "http://[0:0:0:0:0:0:0:1]/"), ("[::1]:8", "http://[::1]:8/"), ("fd00::/8", "http://[fdff::1]/"),
            ("0.0.0.0/0", "http://127.0.0.1/"), ("10.1.2.3", "http://10.1.2.3./"), ("127.0.0.1", "http://0x7f.1/"),
        ])
    func excepted(list: String, url: String) throws {
        #expect(try isExcepted(url, by: list))
    }

    @Test(
        "No entry excepts anything else",
        arguments: [
            ("", "http://a.example/"), (" , ", "http://a.example/"), ("a.example", "http://ba.example/"),
            ("a.example", "http://a.example.org/"), ("a:8080", "http://a/"), ("a:81", "http://a:80/"),
            ("a:+80", "http://a/"),
            ("1", "http://10.0.0.1/"), ("0.0.1", "http://10.0.0.1/"), ("10.0.0.0/8", "http://11.0.0.0/"),
            ("10.0.0.0/+8", "http://10.0.0.1/"),
            ("10.0.0.0/33", "http://10.0.0.0/"), ("10.0.0.0/x", "http://10.0.0.0/"), ("::1", "http://[::2]/"),
            ("0.0.0.0/0", "http://[::1]/"), ("::/0", "http://127.0.0.1/"), ("[::1]:8", "http://[::1]:9/"),
            ("10.0.0.0/8", "http://a.example/"), ("*.a.example", "http://a.example/"),
        ])
    func others(list: String, url: String) throws {
        #expect(try !isExcepted(url, by: list))
    }
}
