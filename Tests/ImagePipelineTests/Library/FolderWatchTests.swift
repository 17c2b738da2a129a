import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What a library notices of its folders while somebody watches")
struct FolderWatchTests {
    let folder = PhotoFolder()

    /// A library of the folder `root` in the folder, and the names that a grid of it shows.
    private func follow(_ root: String = "root") throws -> Followed {
        // No look at everything comes to the help of the watch.
        try Followed(PhotoLibrary(folders: ["\(folder.path)/\(root)"], rescanInterval: .seconds(3600)))
    }

    @Test("A root that is renamed is empty, and one that is made again under its name has its photos")
    func rootMadeAgain() async throws {
        folder.makeFolder("root")
        folder.write("root/old.jpg")
        let followed = try follow()
        try await onOwnThread {
            folder.rename("root", to: "elsewhere")
            try followed.shows([])
            folder.makeFolder("root")
            folder.write("root/new.jpg")
            try followed.shows(["new.jpg"])
            // The old one is none of the library's any more.
            folder.write("elsewhere/other.jpg")
            folder.write("root/newer.jpg")
            try followed.shows(["new.jpg", "newer.jpg"])
            folder.removeFolder("root")
            folder.rename("elsewhere", to: "root")
            try followed.shows(["old.jpg", "other.jpg"])
        }
        #expect(followed.faults.isEmpty)
    }

    @Test(
        "So it is where a folder above the root goes and comes, and where a link leads to another root",
        // The second begins with a mark that combines with the slash before it.
        arguments: ["root", "\u{301}root"])
    func above(root: String) async throws {
        for name in ["a", "a/b", "a/b/\(root)", "other"] { folder.makeFolder(name) }
        folder.write("a/b/\(root)/old.jpg")
        folder.write("other/new.jpg")
        let followed = try follow("a/b/\(root)")
        folder.link("link", to: "a/b")
        folder.link("far", to: "link")
        let (linked, twice) = (try follow("link/\(root)"), try follow("other/../far/\(root)"))
        try await onOwnThread {
            folder.rename("a", to: "c")
            for grid in [followed, linked, twice] {
                try grid.shows([])
                // Told behind the watch: nothing of the old one helps.
                try grid.waits { !$0.faults.isEmpty }
            }
            folder.rename("c", to: "a")
            try followed.shows(["old.jpg"])
            for grid in [linked, twice] { try grid.shows(["old.jpg"]) }
            folder.makeFolder("x")
            folder.rename("other", to: "x/\(root)")
            folder.link("next", to: "x")
            folder.rename("next", to: "link")
            try linked.shows(["new.jpg"])
        }
    }

    @Test("Folders that come without end do not keep photos back")
    func churn() async throws {
        folder.makeFolder("root")
        let followed = try follow()
        let isOver = Atomic(false)
        let folder = folder
        ThreadPoolScheduler(width: 1).schedule {
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                folder.makeFolder("root/\(number)")
                // Each look finds folders that the one before has not.
                if number >= 500 { folder.removeFolder("root/\(number - 500)") }
                number += 1
            }
        }
        defer { isOver.store(true, ordering: .relaxed) }
        try await onOwnThread {
            for name in ["1.jpg", "2.jpg", "3.jpg"] {
                folder.write("root/\(name)")
                try followed.shows { $0.contains(name) }
            }
        }
    }

    @Test("A file that is cut by its path, or written to and not closed, is another content")
    func inPlace() async throws {
        folder.makeFolder("root")
        folder.write("root/a.jpg", bytes: 100)
        let followed = try follow()
        let path = "\(folder.path)/root/a.jpg"
        try await onOwnThread {
            guard truncate(path, 50) == 0 else { throw Disproof("not cut") }
            try followed.shows(sizes: [50])
            let open = try FileDescriptor(opening: path, O_WRONLY)
            try open.write([1, 2, 3], at: 50)
            try followed.shows(sizes: [53])
            withExtendedLifetime(open) {}
        }
    }

    @Test("Of a file of two names each is a photo, and what is written through one is noticed of both")
    func hardLinks() async throws {
        folder.makeFolder("root")
        folder.write("root/a.jpg", bytes: 100)
        let followed = try follow()
        let (one, two) = ("\(folder.path)/root/a.jpg", "\(folder.path)/root/b.jpg")
        try await onOwnThread {
            guard link(one, two) == 0 else { throw Disproof("no link") }
            try followed.shows(["a.jpg", "b.jpg"])
            try followed.showsWalk(through: ["\(folder.path)/root"])
            try FileDescriptor(opening: two, O_WRONLY).write([7], at: 200)
            try followed.shows(sizes: [201, 201])
            try followed.showsWalk(through: ["\(folder.path)/root"])
            folder.replace("root/b.jpg", bytes: 3)
            try followed.shows(sizes: [201, 3])
            // The one that is left has changed in that it has one name less.
            try followed.showsWalk(through: ["\(folder.path)/root"])
        }
    }

    @Test("A photo whose second name comes and goes at once is as its file is, however often")
    func passingLinks() async throws {
        folder.makeFolder("root")
        folder.write("root/a.jpg", bytes: 100)
        let followed = try follow()
        let (one, two) = ("\(folder.path)/root/a.jpg", "\(folder.path)/root/b.jpg")
        try await onOwnThread {
            for round in 0..<50 {
                guard link(one, two) == 0 else { throw Disproof("no link") }
                if round % 2 == 0 { unlink(two) } else { folder.replace("root/b.jpg", bytes: round) }
                try followed.showsWalk(through: ["\(folder.path)/root"])
                unlink(two)
            }
        }
    }

    @Test("What is written to a photo under another name in its folder, which is no photo's, is noticed")
    func otherNames() async throws {
        folder.makeFolder("root")
        folder.write("root/a.jpg", bytes: 100)
        for name in ["a.bak", ".a"] {
            guard link("\(folder.path)/root/a.jpg", "\(folder.path)/root/\(name)") == 0 else {
                throw Disproof("no link")
            }
        }
        let followed = try follow()
        try await onOwnThread {
            for (name, size) in [("a.bak", 201), (".a", 301)] {
                try FileDescriptor(opening: "\(folder.path)/root/\(name)", O_WRONLY).write([7], at: size - 1)
                try followed.shows(sizes: [size])
            }
            try followed.showsWalk(through: ["\(folder.path)/root"])
        }
    }

    @Test("A photo that is given another mode is looked at anew, and its header too")
    func modes() async throws {
        folder.makeFolder("root")
        folder.write("root/a.jpg")
        let followed = try follow()
        let before = followed.assets[0].version
        try await onOwnThread {
            chmod("\(folder.path)/root/a.jpg", 0o640)
            try followed.waits { $0.assets[0].version != before }
            try followed.showsWalk(through: ["\(folder.path)/root"])
        }
    }
}
