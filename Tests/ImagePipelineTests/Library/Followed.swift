import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization

@testable import ImagePipeline

/// A grid that follows a library by its differences.
final class Followed: Sendable {
    private let library: PhotoLibrary
    private let state: Mutex<State>
    private let happened = DispatchSemaphore(value: 0)
    private let bag = Mutex<[AnyCancellable]>([])

    private struct State {
        var result: FetchResult
        /// By the differences alone.
        var shown: [Row]
        var isBroken = false
        var faults: [LibraryError] = []
    }

    init(_ library: PhotoLibrary) {
        self.library = library
        let result = library.fetch(PhotoQuery(sortedBy: .name, ascending: true))
        state = Mutex(State(result: result, shown: result.map(Row.init)))
        let changes = library.changes(of: result).sink { [weak self] changes in
            self?.apply(changes)
        }
        let faults = library.faults.sink { [weak self] faults in
            self?.state.withLock { $0.faults = faults }
            self?.happened.signal()
        }
        bag.withLock { $0 = [changes, faults] }
    }

    func stop() { bag.withLock { $0 = [] } }

    private func apply(_ changes: FetchChanges) {
        state.withLock { state in
            if state.shown != changes.before.map(Row.init) { state.isBroken = true }
            state.shown = changed(state.shown, by: changes)
            if state.shown != changes.after.map(Row.init) { state.isBroken = true }
            state.result = changes.after
        }
        happened.signal()
    }

    var assets: FetchResult { state.withLock { $0.result } }
    var faults: [LibraryError] { state.withLock { $0.faults } }

    func waits(until holds: (Followed) throws -> Bool) throws {
        while try !holds(self) {
            guard happened.wait(timeout: .now() + 60) == .success else {
                throw Disproof("\(assets.map(\.path)) are shown, with \(faults)")
            }
        }
    }

    func shows(_ names: [String]) throws { try waits { $0.assets.map(\.name) == names } }

    func shows(_ holds: ([String]) -> Bool) throws { try waits { holds($0.assets.map(\.name)) } }

    func shows(sizes: [Int]) throws { try waits { $0.assets.map(\.byteCount) == sizes } }

    /// Waits until the differences lead to what a plain walk through some folders finds.
    func showsWalk(through roots: [String]) throws {
        try waits { $0.state.withLock { $0.shown } == Self.walk(through: roots) }
        guard !state.withLock({ $0.isBroken }) else { throw Disproof("a difference does not fit") }
    }

    private static func walk(through roots: [String]) -> [Row] {
        var rows: [Row] = []
        var seen: Set<[UInt64]> = []
        func walk(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                seen.insert([FileFacts(status).device, FileFacts(status).number]).inserted
            else { return }
            var folders: [String] = []
            try? Directory.forEachEntry(in: path) { entry in
                let name = String(decoding: entry.name, as: UTF8.self)
                guard !name.hasPrefix(".") else { return }
                if entry.isDirectory {
                    folders.append("\(path)/\(name)")
                } else if name.hasSuffix(".jpg"), let file = entry.facts, file.isRegular {
                    rows.append(Row(file, folder: path, name: name))
                }
            }
            folders.forEach(walk)
        }
        roots.forEach(walk)
        return rows.sorted { ($0.name, $0.folder) < ($1.name, $1.folder) }
    }
}
