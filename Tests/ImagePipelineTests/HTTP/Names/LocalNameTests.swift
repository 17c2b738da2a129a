import Testing

@testable import ImagePipeline

@Suite("Names that are not asked of DNS")
struct LocalNameTests {
    @Test(
        "A name of this machine or of its link is one with a dot at its end, too",
        arguments: ["localhost", "a.localhost", "a.local", "_gateway", "me"])
    func root(name: String) {
        var services = NameServices(resolver: "nameserver 192.0.2.1\n", switching: "")
        services.ownName = "me"
        #expect(services.isLocal(name))
        #expect(services.isLocal("\(name)."))
        #expect(!services.isLocal("not\(name).example."))
    }
}
