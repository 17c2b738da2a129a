import Testing

@testable import LoopbackServer

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "Seconds since 1970 as RFC 9110 writes them",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ])
    func text(seconds: Int, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
    }
}
