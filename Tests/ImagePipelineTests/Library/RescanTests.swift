import Dispatch
import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Rescans of a photo library")
struct RescanTests {
    let folder = PhotoFolder()

    @Test("However many wait for a rescan that has not begun, one look serves them all")
    func joined() async throws {
        let library = try PhotoLibrary(folders: [folder.path])
        let (held, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let before = library.fetch()
        // A subscriber that is told of a change holds up the library meanwhile. There is none yet: it would hold up this test.
        let watch = library.changes(of: before).sink { _ in
            held.signal()
            goOn.wait()
        }
        folder.write("a.jpg")
        try await onOwnThread { held.wait() }
        let looks = OpenedFolder(folder.path)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { await library.rescan() } }
            while library.rescans.withLock({ $0.count }) < 200 { await Task.yield() }
            folder.write("b.jpg")
            goOn.signal()
            goOn.signal()
        }
        #expect(library.fetch().map(\.name).sorted() == ["a.jpg", "b.jpg"])
        // One for them all; others are those of who watches: one as it began, one for a folder that is new to it.
        #expect(looks.count <= 3)
        watch.cancel()
    }
}

/// Counts how often a folder is listed.
private struct OpenedFolder: ~Copyable {
    private let queue: FileDescriptor

    init(_ path: String) {
        queue = FileDescriptor(owning: inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)))
        // Closing stands between two openings, which would be told as one.
        inotify_add_watch(queue.number, path, UInt32(IN_OPEN | IN_CLOSE_NOWRITE | IN_ONLYDIR))
    }

    var count: Int {
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = max(0, Files.read(queue.number, buffer.baseAddress, buffer.count))
        }
        let size = MemoryLayout<inotify_event>.size
        return bytes.withUnsafeBytes { bytes in
            var (count, offset) = (0, 0)
            while offset + size <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                if event.mask & UInt32(IN_OPEN) != 0, event.len == 0 { count += 1 }
                offset += size + Int(event.len)
            }
            return count
        }
    }
}
