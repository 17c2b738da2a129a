import Files
import TestSupport
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

    @Test(
        "The services of a switch follow its first colon, with or without spaces around that",
        arguments: [
            "hosts:files ldap", "hosts: files ldap", "hosts :files ldap", "hosts : files ldap", "\thosts:\tldap",
        ])
    func switching(text: String) {
        let text = "passwd:files\nhostsx:files dns\n\(text)"
        let silent = NameServices(resolver: "nameserver 192.0.2.1\n", switching: text)
        #expect(silent.servers.isEmpty && silent.hasOthers)
        let asked = NameServices(resolver: "nameserver 192.0.2.1\n", switching: "\(text) dns # plain\n")
        #expect(asked.servers.count == 1 && asked.hasOthers)
    }

    @Test("Of a hosts file no more than 16 MB are read, however large it is", arguments: [-1, 0, 1])
    func largeHosts(more: Int) throws {
        let directory = TemporaryDirectory()
        var services = NameServices(resolver: "", switching: "")
        services.hostsFile = "\(directory.path)/hosts"
        let file = try FileDescriptor(opening: services.hostsFile, O_WRONLY | O_CREAT)
        try file.truncate(to: (16 << 20) + more)
        #expect(services.hosts().count == (16 << 20) + min(0, more))
    }
}
