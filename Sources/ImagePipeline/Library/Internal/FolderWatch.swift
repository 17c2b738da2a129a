import Dispatch
import Files
import Synchronization

/// Tells what happens in folders, on a queue, as far as the system reports it.
///
/// Unchecked, for the sake of the dispatch source, which is no `Sendable` type on Linux: it is set up before the initializer
/// returns, and afterwards nothing but `cancel` is called on it, which Dispatch allows from any thread.
final class FolderWatch: @unchecked Sendable {
    #if os(Linux)
        private let source: any DispatchSourceRead
        private let notifier: Notifier

        init(on queue: DispatchQueue, _ handler: @escaping @Sendable (FolderEvents) -> Void) throws(SystemError) {
            let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard number >= 0 else { throw SystemError("inotify_init1") }
            let notifier = Notifier(FileDescriptor(owning: number))
            let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
            source.setEventHandler {
                let events = notifier.read()
                if !events.isEmpty { handler(events) }
            }
            // The descriptor is closed with the notifier, and no earlier than the source lets go of it.
            source.setCancelHandler { withExtendedLifetime(notifier) {} }
            source.activate()
            (self.source, self.notifier) = (source, notifier)
        }

        deinit {
            source.cancel()
        }

        /// Watches these folders from now on, and the ways to the roots, and nothing else.
        ///
        /// - Returns: Whether something of it was not watched before; and the folders that the system does not watch, though they are there.
        func watch(_ folders: [String], roots: [String]) -> (hasBegun: Bool, faults: [LibraryError]) {
            notifier.watch(folders, roots: roots)
        }

        /// Ends the watch: what is being handled is handled, and nothing afterwards.
        func cancel() {
            source.cancel()
        }
    #else
        init(on queue: DispatchQueue, _ handler: @escaping @Sendable (FolderEvents) -> Void) throws(SystemError) {
            throw SystemError("watch", code: ENOTSUP)
        }

        func watch(_ folders: [String], roots: [String]) -> (hasBegun: Bool, faults: [LibraryError]) { (false, []) }

        func cancel() {}
    #endif
}

#if os(Linux)
    /// The system's queue of events.
    private final class Notifier: Sendable {
        /// The events that take a folder away, or bring it back.
        private static let way = UInt32(
            IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        )
        private static let photos = way | UInt32(IN_MODIFY | IN_CLOSE_WRITE)
        /// Adds to what a folder is watched for that has two paths.
        private static let addition = UInt32(IN_MASK_ADD)

        private let descriptor: FileDescriptor
        /// By the number that the system gave each watch.
        private let folders = Mutex<[Int32: WatchedFolder]>([:])

        init(_ descriptor: consuming FileDescriptor) {
            self.descriptor = descriptor
        }

        func watch(_ paths: [String], roots: [String]) -> (hasBegun: Bool, faults: [LibraryError]) {
            folders.withLock { folders in
                var watched: [Int32: WatchedFolder] = [:]
                var faults: [LibraryError] = []
                func add(_ path: String, _ mask: UInt32, _ folder: WatchedFolder) {
                    // A folder that is watched already keeps its number, under whatever path.
                    let watch = inotify_add_watch(descriptor.number, path, mask | Self.addition)
                    guard watch < 0 else { return watched[watch, default: WatchedFolder()].add(folder) }
                    let error = SystemError("inotify_add_watch")
                    // The folder above tells of one that is not there yet; and a folder on the way to a root need not be readable.
                    let isFault =
                        ![ENOENT, ENOTDIR].contains(error.code) && (folder.path != nil || error.code != EACCES)
                    if isFault { faults.append(.watch(path: path, reason: "\(error)")) }
                }
                for path in paths { add(path, Self.photos, WatchedFolder(path: path)) }
                for (path, folder) in roots.flatMap(WatchedFolder.above) { add(path, Self.way, folder) }
                for watch in folders.keys where watched[watch] == nil { inotify_rm_watch(descriptor.number, watch) }
                defer { folders = watched }
                return (watched.contains { folders[$0.key] != $0.value }, faults)
            }
        }

        /// The events since the last call.
        func read() -> FolderEvents {
            var events = FolderEvents()
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
                guard let base = buffer.baseAddress else { return }
                while true {
                    let count = Files.read(descriptor.number, base, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &events)
                }
            }
            return events
        }

        private func parse(_ bytes: UnsafeRawBufferPointer, _ events: inout FolderEvents) {
            let headerSize = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + headerSize <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let start = offset + headerSize
                offset = start + Int(event.len)
                guard offset <= bytes.count else { return }
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { events.isEverything = true }
                // The end of a watch that was taken away says nothing, nor does what happened to a folder before that.
                guard event.mask & UInt32(IN_IGNORED) == 0, let folder = folders.withLock({ $0[event.wd] }) else {
                    continue
                }
                let name = bytes[start..<offset].prefix { $0 != 0 }
                if name.isEmpty {
                    // It happened to the folder itself.
                    events.isEverything = true
                } else if let text = String(validating: name, as: UTF8.self) {
                    note(text, in: folder, event.mask, &events)
                }
            }
        }

        private func note(_ name: String, in folder: WatchedFolder, _ mask: UInt32, _ events: inout FolderEvents) {
            if folder.waypoints.contains(name) {
                events.isEverything = true
            } else if let path = folder.path {
                let place = FolderScan.Place(folder: path, name: name)
                if mask & UInt32(IN_ISDIR) != 0 {
                    // What is hidden is none of the library's.
                    if !name.hasPrefix(".") { events.isEverything = true }
                } else if mask & UInt32(IN_MODIFY) != 0 {
                    events.growing.insert(place)
                } else {
                    let leaving = UInt32(IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
                    events.note(
                        place, leaves: mask & leaving != 0, arrives: mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0)
                }
            }
        }
    }
#endif
