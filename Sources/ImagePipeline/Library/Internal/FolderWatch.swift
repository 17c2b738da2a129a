import Dispatch
import Files
import Synchronization

/// Tells what happens in folders, on a queue, as far as the system reports it.
///
/// Unchecked, for the sake of the dispatch source, which is no `Sendable` type on Linux: it is set up before the initializer
/// returns, and afterwards nothing but `cancel` is called on it, which Dispatch allows from any thread.
final class FolderWatch: @unchecked Sendable {
    enum Events: Sendable {
        /// Something has happened to files of these names.
        case places(Set<FolderScan.Place>)
        /// The system has lost count, or a folder has come or gone.
        case everything
    }

    #if os(Linux)
        private static let mask = UInt32(
            IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF
                | IN_MOVE_SELF | IN_ONLYDIR)

        private let source: (any DispatchSourceRead)?
        private let notifier: Notifier?

        init(on queue: DispatchQueue, _ handler: @escaping @Sendable (Events) -> Void) {
            let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard number >= 0 else {
                (source, notifier) = (nil, nil)
                return
            }
            let notifier = Notifier(FileDescriptor(owning: number))
            let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
            source.setEventHandler {
                if let events = notifier.read() { handler(events) }
            }
            // The descriptor is closed with the notifier, and no earlier than the source lets go of it.
            source.setCancelHandler { withExtendedLifetime(notifier) {} }
            source.activate()
            (self.source, self.notifier) = (source, notifier)
        }

        deinit {
            source?.cancel()
        }

        /// Watches these folders from now on, and no others. A folder that is gone, or one too many for the system, is not watched.
        ///
        /// - Returns: Whether one of them was not watched before.
        func watch(_ folders: [String]) -> Bool {
            notifier?.watch(folders, Self.mask) ?? false
        }

        /// Ends the watch: what is being handled is handled, and nothing afterwards.
        func cancel() {
            source?.cancel()
        }
    #else
        init(on queue: DispatchQueue, _ handler: @escaping @Sendable (Events) -> Void) {}

        func watch(_ folders: [String]) -> Bool { false }

        func cancel() {}
    #endif
}

#if os(Linux)
    /// The system's queue of events.
    private final class Notifier: Sendable {
        private let descriptor: FileDescriptor
        /// By the number that the system gave each watch.
        private let folders = Mutex<[Int32: String]>([:])

        init(_ descriptor: consuming FileDescriptor) {
            self.descriptor = descriptor
        }

        func watch(_ paths: [String], _ mask: UInt32) -> Bool {
            folders.withLock { folders in
                var watched: [Int32: String] = [:]
                for path in paths {
                    // A folder that is watched already keeps its number, under whatever path.
                    let watch = inotify_add_watch(descriptor.number, path, mask)
                    if watch >= 0 { watched[watch] = path }
                }
                for watch in folders.keys where watched[watch] == nil { inotify_rm_watch(descriptor.number, watch) }
                defer { folders = watched }
                return watched.contains { folders[$0.key] != $0.value }
            }
        }

        /// The events since the last call; nil for none.
        func read() -> FolderWatch.Events? {
            var places: Set<FolderScan.Place> = []
            var isEverything = false
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
                guard let base = buffer.baseAddress else { return }
                while true {
                    let count = Files.read(descriptor.number, base, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &places, &isEverything)
                }
            }
            if isEverything { return .everything }
            return places.isEmpty ? nil : .places(places)
        }

        private func parse(
            _ bytes: UnsafeRawBufferPointer, _ places: inout Set<FolderScan.Place>, _ isEverything: inout Bool
        ) {
            let headerSize = MemoryLayout<inotify_event>.size
            var offset = 0
            while offset + headerSize <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let start = offset + headerSize
                offset = start + Int(event.len)
                guard offset <= bytes.count else { return }
                // The end of a watch that was taken away says nothing.
                if event.mask & UInt32(IN_IGNORED) != 0 { continue }
                let ofFolders = UInt32(IN_ISDIR | IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)
                if event.mask & ofFolders != 0 {
                    // Reading a folder, or changing its mode, moves no photo.
                    if event.mask & UInt32(IN_ATTRIB) == 0 { isEverything = true }
                    continue
                }
                let name = bytes[start..<offset].prefix { $0 != 0 }
                guard let folder = folders.withLock({ $0[event.wd] }),
                    let text = String(validating: name, as: UTF8.self)
                else { continue }
                places.insert(FolderScan.Place(folder: folder, name: text))
            }
        }
    }
#endif
