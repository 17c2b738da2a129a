import Dispatch
import GalleryCell
import ImagePipeline
import Streams
import Testing

@MainActor
@Suite("A cell of the gallery")
struct GalleryCellTests {
    let library = PhotoLibrary()
    let cell = GalleryCell()

    @Test("Shows the degraded image, then the final one: a callback that fires twice is two values")
    func twice() async {
        cell.configure(thumbnail: library.thumbnail(for: "a"))
        await mainQueue { library.openRequests == 1 }
        library.deliver(photo(8))
        library.deliver(photo(64))
        await mainQueue { cell.shown.count == 2 }
        #expect(cell.shown.map { $0?.width } == [8, 64])
        #expect(library.openRequests == 0, "the end of the stream ends the request")
    }

    @Test("Reused in mid-load it cancels the request, and nothing reaches it afterwards")
    func reuse() async {
        cell.configure(thumbnail: library.thumbnail(for: "a"))
        await mainQueue { library.openRequests == 1 }
        library.deliver(photo(8))
        cell.prepareForReuse()
        let shown = cell.shown.count
        await mainQueue { library.openRequests == 0 }
        #expect(library.cancelledRequests == 1)
        library.deliver(photo(64))
        await mainQueue { true }
        #expect(cell.shown.count == shown)
        #expect(cell.image == nil)
    }

    private func photo(_ side: Int) -> Image? {
        Image(
            size: PixelSize(width: side, height: side), format: .grey8, bytes: [UInt8](repeating: 1, count: side * side)
        )
    }

    /// Lets the main queue run until something holds, and once in any case.
    private func mainQueue(until holds: () -> Bool) async {
        repeat {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        } while !holds()
    }
}
