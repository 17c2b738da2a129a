import Foundation
import ImagePipeline
import PhotoGenerator
import Streams
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
        for step in stride(from: 0, through: grid.largestOffset, by: 150) {
            grid.scroll(to: step)
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
        grid.scroll(to: 10 * PhotoGrid.rowHeight)
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
