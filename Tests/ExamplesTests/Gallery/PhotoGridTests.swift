import Foundation
import ImagePipeline
import PhotoGenerator
import Streams
import Synchronization
import Testing

@testable import gallery

@MainActor
@Suite("The grid of the gallery")
struct PhotoGridTests {
    private static let photos = Result { try NumberedPhotos(landscapes: 1) }
    private let folder = FileManager.default.temporaryDirectory.appending(path: "grid-\(UUID())").path

    private func files(_ count: Int) throws -> PhotoFolder {
        let files = PhotoFolder(path: folder, photos: try Self.photos.get())
        files.make(count)
        return files
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// A source that nothing ever comes from.
    private var silent: ImageLoader {
        ImageLoader(
            AnySource<ImageRequest, ImageEvent> { _ in Empty(completeImmediately: false).eraseToAnyPublisher() })
    }

    @Test("Cells exist for what is in view, and are used again for what comes into view")
    func reuse() throws {
        defer { remove() }
        _ = try files(90)
        var made = 0
        let result = try PhotoLibrary(folders: [folder]).fetch()
        let grid = PhotoGrid(result) { [silent] in
            made += 1
            return GridCell(source: silent, rendition: .original) { _ in }
        }
        for (frame, offset) in stride(from: 0, through: grid.largestOffset, by: 150).enumerated() {
            grid.scroll(to: offset, at: Double(frame) / 60)
            #expect(grid.visible.allSatisfy { grid.result[$0.key] == $0.value.asset })
        }
        #expect(grid.visible.keys.max() == 89)
        #expect(made <= 24, "\(made) cells")
    }

    @Test("After any change each cell stands for the photo that the list has there, and the top one keeps its place")
    func changes() async throws {
        defer { remove() }
        let files = try files(90)
        let library = try PhotoLibrary(folders: [folder])
        let grid = PhotoGrid(library.fetch()) { [silent] in
            GridCell(source: silent, rendition: .original) { _ in }
        }
        grid.scroll(to: 10 * PhotoGrid.rowHeight, at: 1)
        let top = try #require(grid.visible[30]?.asset?.name)
        // The newest are first: three more rows above, and holes in view.
        for number in 200..<209 { files.write(number, date: NumberedPhotos.date(of: number)) }
        for number in [53, 51, 10] { files.remove(number) }
        await library.rescan()
        grid.apply(try await library.changes(of: grid.result).firstValue)
        #expect(grid.result.count == 96)
        #expect(grid.visible.allSatisfy { grid.result[$0.key] == $0.value.asset })
        #expect(grid.visible[39]?.asset?.name == top)
        #expect(grid.offset == 13 * PhotoGrid.rowHeight)
    }

    @Test("Nothing is loaded that will be out of view before a load can end, and everything that stays")
    func flyingBy() throws {
        defer { remove() }
        _ = try files(90)
        let requests = Mutex(0)
        let image = try #require(PhotoGenerator(seed: 1).image(PixelSize(width: 16, height: 16)))
        let source = ImageLoader(
            AnySource<ImageRequest, ImageEvent> { _ in
                requests.withLock { $0 += 1 }
                return Just(.final(image, .file)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
            })
        let grid = PhotoGrid(try PhotoLibrary(folders: [folder]).fetch()) {
            GridCell(source: source, rendition: .original) { _ in }
        }
        // Loads that have taken long, each in a cell that goes out of view.
        var time = 0.0
        for _ in 0..<20 { grid.noteLoad(seconds: 1, isWhole: true) }
        grid.scroll(to: 0, at: time)
        // A screen in a sixth of a second.
        for _ in 0..<8 {
            time += 1.0 / 60
            grid.scroll(to: grid.offset + PhotoGrid.viewHeight / 10, at: time)
        }
        let flying = requests.withLock { $0 }
        for _ in 0..<grid.visible.count {
            time += 1.0 / 60
            grid.scroll(to: grid.offset, at: time)
        }
        #expect(flying <= 18, "only those that were there at rest")
        #expect(grid.visible.values.allSatisfy { !$0.isWaiting })
    }

    @Test("A cell whose photo was replaced and goes out of view before it is loaded again shows nothing")
    func replaced() async throws {
        defer { remove() }
        let files = try files(1)
        let library = try PhotoLibrary(folders: [folder])
        let image = try #require(PhotoGenerator(seed: 1).image(PixelSize(width: 16, height: 16)))
        let source = ImageLoader(
            AnySource<ImageRequest, ImageEvent> { _ in
                Just(.final(image, .file)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
            })
        let cell = GridCell(source: source, rendition: .original) { _ in }
        cell.configure(library.fetch()[0])
        cell.load()
        #expect(cell.content.image != nil)
        files.remove(0)
        files.write(0, date: 5)
        await library.rescan()
        cell.update(library.fetch()[0])
        #expect(cell.isWaiting)
        cell.prepareForReuse()
        #expect(cell.content.image == nil)
    }

    @Test("The recorded thumb reaches both ends, rests, and turns back")
    func thumb() {
        let thumb = Thumb(duration: 20)
        let places = stride(from: 0, to: 20, by: 0.01).map { thumb.position(at: $0) }
        #expect(places.map(\.share).max() == 1)
        #expect(places.last?.share == 0)
        #expect(Set(places.compactMap(\.stop)).count == 7)
        #expect(zip(places, places.dropFirst()).contains { $0.share > $1.share })
    }
}
