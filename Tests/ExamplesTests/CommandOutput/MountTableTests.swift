import Testing

@testable import CommandOutput

@Suite("The table of mounts")
struct MountTableTests {
    private let table = MountTable(
        """
        22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
        23 22 0:21 / /proc rw - proc proc rw
        24 22 254:0 /home/a\\040b/photos/2024 /mnt/year rw master:2 - ext4 /dev/vda rw
        25 22 254:0 /home /srv/home rw - ext4 /dev/vda rw
        26 22 8:1 / /srv/homes rw - ext4 /dev/sda1 rw
        27 22 0:40 / /view rw - overlay none rw,lowerdir=/a\\040b/one:/two,upperdir=/three,workdir=/four
        not a line
        """)

    @Test("What an overlay shows lies in its layers")
    func layers() {
        #expect(table.layers(of: "/view/x") == ["/a b/one/x", "/two/x", "/three/x"])
        #expect(table.layers(of: "/home/x") == [])
    }

    @Test("A directory's other paths are those by which other mounts of its file system reach it")
    func otherPaths() {
        #expect(
            table.otherPaths(of: "/mnt/year/may") == ["/home/a b/photos/2024/may", "/srv/home/a b/photos/2024/may"])
        #expect(table.otherPaths(of: "/mnt/year") == ["/home/a b/photos/2024", "/srv/home/a b/photos/2024"])
        #expect(table.otherPaths(of: "/home/a b/photos/2024/x") == ["/mnt/year/x", "/srv/home/a b/photos/2024/x"])
        #expect(table.otherPaths(of: "/srv/homes/a") == [])
        #expect(table.otherPaths(of: "/proc/self") == [])
        #expect(MountTable("").otherPaths(of: "/home") == [])
    }

    @Test("Names that Swift's strings take for the same are other directories")
    func twins() {
        let table = MountTable(
            """
            22 1 254:0 / / rw - ext4 /dev/vda rw
            23 22 254:0 /e\u{301} /\u{E9} rw - ext4 /dev/vda rw
            """)
        #expect(table.otherPaths(of: "/\u{E9}").map { Array($0.utf8) } == [Array("/e\u{301}".utf8)])
    }

    @Test("The place where a path's mount is attached is the nearest one above it, by whole names")
    func attachment() {
        #expect(table.attachment(of: "/mnt/year/may") == "/mnt/year")
        #expect(table.attachment(of: "/mnt/years") == nil)
        #expect(table.attachment(of: "/srv/homes/a") == "/srv/homes")
        #expect(table.attachments(below: "/srv") == ["/srv/home", "/srv/homes"])
        #expect(table.attachments(below: "/srv/home") == [])
    }
}
