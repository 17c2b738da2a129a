import Dispatch
import ImagePipeline
import Streams

// The Swift of ImagePipeline's article about photo libraries, compiled: DocumentTests compares line by line.

func listing() throws -> [FetchResult] {
    let library = try PhotoLibrary(folders: ["/photos"], index: "/var/cache/photos.index")
    let newest = library.fetch(PhotoQuery(sortedBy: .modified))
    let large = library.fetch(PhotoQuery(sortedBy: .name, ascending: true) { $0.byteCount > 1 << 20 })
    for section in newest.sections() { print("\(section.day): \(section.range.count) photos") }
    return [newest, large]
}

@MainActor
func show(_ newest: FetchResult, at position: Int, in slot: ImageSlot) {
    slot.load(newest[position].request(as: .fill(PixelSize(width: 360, height: 360))))
}

@MainActor
final class PhotoGridView {
    var result: FetchResult

    init(_ result: FetchResult) { self.result = result }

    func remove(_ positions: RangeSet<Int>) {}
    func insert(_ positions: RangeSet<Int>) {}
    func reload(_ positions: RangeSet<Int>) {}
    func show(_ faults: [String]) {}
}

@MainActor
func watch(
    _ library: PhotoLibrary, _ newest: FetchResult, _ grid: PhotoGridView, _ cancellables: inout Set<AnyCancellable>
) {
    library.changes(of: newest)
        .receive(on: DispatchQueue.main)
        .sink(on: MainActor.shared) { changes in
            grid.remove(changes.removed)  // positions before
            grid.insert(changes.inserted)  // positions afterwards
            grid.reload(changes.changed)
            grid.result = changes.after
        }
        .store(in: &cancellables)
    library.faults
        .receive(on: DispatchQueue.main)
        .sink(on: MainActor.shared) { faults in grid.show(faults.map(\.description)) }
        .store(in: &cancellables)
}
