import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("Changes of a fetch result")
struct FetchChangesTests {
    @Test("Applied to the old result the differences give the new one, whatever has happened to the files")
    func differences() async throws {
        _ = try await onOwnThread {
            try forAll("differences after a rescan", FolderPlan.generator, cases: 300) { plan in
                let folder = PhotoFolder()
                let library = try smallPagedLibrary(folder)
                var shown = library.fetch(plan.query.query)
                for round in plan.rounds {
                    for step in round { FolderPlan.perform(step, in: folder) }
                    waiting { await library.rescan() }
                    let fetched = library.fetch(plan.query.query)
                    let following = FetchResult(fetched.listing, plan.query.query, after: shown)
                    guard following.map(Row.init) == fetched.map(Row.init) else {
                        throw Disproof("the order is another")
                    }
                    let changes = FetchChanges(from: shown, to: following)
                    try check(changes, folder, plan.query)
                    shown = changes.after
                }
            }
        }
    }

    @Test("What the system reports while somebody watches leads to what is there")
    func watched() async throws {
        _ = try await onOwnThread {
            try forAll("differences while watched", FolderPlan.generator, cases: 60) { plan in
                let folder = PhotoFolder()
                let library = try smallPagedLibrary(folder)
                let screen = Screen(library.fetch(plan.query.query))
                let subscription = library.changes(of: screen.result).sink { screen.apply($0) }
                for (number, round) in plan.rounds.enumerated() {
                    for step in round { FolderPlan.perform(step, in: folder) }
                    // The first may be found by a look at the folder that had begun before; the second comes behind it.
                    for last in ["last\(number).jpg", "really\(number).jpg"] {
                        folder.replace(last, bytes: 9, changed: 9)
                        guard screen.waits(for: last) else { throw Disproof("\(last) was not reported") }
                    }
                    try screen.check(folder, plan.query)
                }
                subscription.cancel()
            }
        }
    }

    @Test("More events than the system keeps lose nothing")
    func overflow() async throws {
        _ = try await onOwnThread {
            let folder = PhotoFolder()
            let library = try PhotoLibrary(folders: [folder.path])
            let screen = Screen(library.fetch())
            let (isHeld, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let subscription = library.changes(of: screen.result).sink { changes in
                screen.apply(changes)
                if changes.after.count == 1 {
                    isHeld.signal()
                    goOn.wait()
                }
            }
            folder.replace("first.jpg", bytes: 1)
            isHeld.wait()
            // Two files in turn: the system joins events that are alike. Each write makes two.
            for number in 0..<9_000 { folder.write(number % 2 == 0 ? ".a" : ".b", changed: number) }
            folder.replace("last.jpg", bytes: 1)
            goOn.signal()
            guard screen.waits(for: "last.jpg") else { throw Disproof("the last photo was not reported") }
            subscription.cancel()
        }
    }

    @Test("A subscription keeps its library: changes go on though nobody else holds it")
    func kept() async throws {
        _ = try await onOwnThread {
            let folder = PhotoFolder()
            func follow() throws -> (Screen, AnyCancellable) {
                let library = try PhotoLibrary(folders: [folder.path])
                let screen = Screen(library.fetch())
                return (screen, library.changes(of: screen.result).sink { screen.apply($0) })
            }
            let (screen, subscription) = try follow()
            folder.replace("a.jpg", bytes: 1)
            guard screen.waits(for: "a.jpg") else { throw Disproof("the photo was not reported") }
            subscription.cancel()
        }
    }

    @Test("Each subscriber begins with its own result, and joins what has happened since into one difference")
    func lateSubscriber() async throws {
        let folder = PhotoFolder()
        folder.write("a.jpg", changed: 1)
        let library = try PhotoLibrary(folders: [folder.path])
        let shown = library.fetch()
        folder.write("b.jpg", changed: 2)
        await library.rescan()
        folder.remove("a.jpg")
        await library.rescan()
        let changes = try #require(await library.changes(of: shown).first().values.first { _ in true })
        #expect(changes.before.map(\.name) == ["a.jpg"])
        #expect(changes.after.map(\.name) == ["b.jpg"])
        #expect(changes.newPosition(of: 0) == nil)
    }

    @Test("A photo keeps its row's place among insertions and deletions")
    func positions() async throws {
        let folder = PhotoFolder()
        for number in 10..<60 { folder.write("\(number).jpg") }
        let query = PhotoQuery(sortedBy: .name, ascending: true)
        let library = try PhotoLibrary(folders: [folder.path])
        let before = library.fetch(query)
        for number in [10, 11, 25, 59] { folder.remove("\(number).jpg") }
        for number in ["00", "255", "256", "60"] { folder.write("\(number).jpg") }
        await library.rescan()
        let changes = FetchChanges(from: before, to: library.fetch(query))
        for (position, asset) in before.enumerated() {
            let new = changes.newPosition(of: position)
            #expect(
                new.map { changes.after[$0].name } ?? "gone"
                    == (changes.removed.contains(position) ? "gone" : asset.name))
        }
        #expect(changes.removed.ranges.reduce(0) { $0 + $1.count } == 4)
        // A grid may ask for a row that it does not have any more.
        for position in [-1, 50, .min, .max] { #expect(changes.newPosition(of: position) == nil) }
    }
}

extension FolderPlan.PhotoOrder {
    var query: PhotoQuery {
        switch self {
        case .newest: PhotoQuery()
        case .oldest: PhotoQuery(ascending: true)
        case .name: PhotoQuery(sortedBy: .name, ascending: true)
        case .nameBackwards: PhotoQuery(sortedBy: .name)
        case .large: PhotoQuery(where: { $0.byteCount > 4 })
        }
    }

    /// The model: what is in the folder, by a plain sort of everything.
    func rows(_ folder: PhotoFolder) -> [Row] {
        var rows: [Row] = []
        for place in ["", "/one", "/two"] {
            try? Directory.forEachEntry(in: folder.path + place) { entry in
                let name = String(decoding: entry.name, as: UTF8.self)
                guard !entry.isDirectory, name.hasSuffix(".jpg"), let facts = entry.facts else { return }
                rows.append(Row(facts, folder: folder.path + place, name: name))
            }
        }
        func order(_ first: Row, _ second: Row, byDate: Bool) -> Bool {
            if byDate, first.modified != second.modified { return first.modified < second.modified }
            return (first.name, first.folder) < (second.name, second.folder)
        }
        return switch self {
        case .newest: rows.sorted { order($1, $0, byDate: true) }
        case .oldest: rows.sorted { order($0, $1, byDate: true) }
        case .name: rows.sorted { order($0, $1, byDate: false) }
        case .nameBackwards: rows.sorted { order($1, $0, byDate: false) }
        case .large: rows.filter { $0.bytes > 4 }.sorted { order($1, $0, byDate: true) }
        }
    }
}

struct Row: Equatable, Sendable {
    let folder: String
    let name: String
    let version: String
    let bytes: Int
    let modified: Duration

    init(folder: String, name: String, version: String, bytes: Int, modified: Duration) {
        (self.folder, self.name, self.version, self.bytes, self.modified) = (folder, name, version, bytes, modified)
    }

    init(_ file: FileFacts, folder: String, name: String) {
        self.init(
            folder: folder, name: name,
            version: FileSource.version(
                number: file.number, size: file.size, modified: file.modified.nanoseconds,
                changed: file.changed.nanoseconds),
            bytes: file.size, modified: file.modified)
    }

    init(_ asset: PhotoAsset) {
        self.init(
            folder: asset.folder, name: asset.name, version: asset.version, bytes: asset.byteCount,
            modified: asset.modified)
    }
}

/// Applies differences as a grid does, which knows nothing else of the new result.
func changed(_ rows: [Row], by changes: FetchChanges) -> [Row] {
    var rows = rows
    rows.removeSubranges(changes.removed)
    for range in changes.inserted.ranges {
        for position in range {
            rows.insert(Row(changes.after[position]), at: min(position, rows.count))
        }
    }
    for range in changes.changed.ranges {
        for position in range where position < rows.count { rows[position] = Row(changes.after[position]) }
    }
    return rows
}

private func check(_ changes: FetchChanges, _ folder: PhotoFolder, _ order: FolderPlan.PhotoOrder) throws {
    let (shown, expected) = (changed(changes.before.map(Row.init), by: changes), order.rows(folder))
    guard shown == expected else { throw Disproof("shown \(shown.map(\.name)), there \(expected.map(\.name))") }
    guard changes.after.map(Row.init) == expected else { throw Disproof("the result is another") }
}

/// A library whose few photos lie on several pages.
private func smallPagedLibrary(_ folder: PhotoFolder) throws -> PhotoLibrary {
    try PhotoLibrary(
        FolderScan(
            roots: [folder.path], includesSubfolders: true, extensions: [Array("jpg".utf8)], photosPerPage: 4))
}

private func waiting(_ work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        await work()
        done.signal()
    }
    done.wait()
}

/// A view that is given a result once, and then nothing but differences.
private final class Screen: Sendable {
    let result: FetchResult
    private let rows: Mutex<[Row]>
    private let applied = DispatchSemaphore(value: 0)
    private let isBroken = Mutex(false)

    init(_ result: FetchResult) {
        self.result = result
        rows = Mutex(result.map(Row.init))
    }

    func apply(_ changes: FetchChanges) {
        let isContinued = rows.withLock { rows in
            let isContinued = rows == changes.before.map(Row.init)
            rows = changed(rows, by: changes)
            return isContinued
        }
        if !isContinued { isBroken.withLock { $0 = true } }
        applied.signal()
    }

    /// - Returns: false if that does not come.
    func waits(for name: String) -> Bool {
        while !rows.withLock({ $0.contains { $0.name == name } }) {
            guard applied.wait(timeout: .now() + 60) == .success else { return false }
        }
        return true
    }

    func check(_ folder: PhotoFolder, _ order: FolderPlan.PhotoOrder) throws {
        let (shown, expected) = (rows.withLock { $0 }, order.rows(folder))
        guard shown == expected else { throw Disproof("shown \(shown.map(\.name)), there \(expected.map(\.name))") }
        guard !isBroken.withLock({ $0 }) else { throw Disproof("a difference began elsewhere") }
    }
}
