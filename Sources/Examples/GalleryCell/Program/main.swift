import Dispatch
import GalleryCell
import ImagePipeline
import Streams

// A cell is configured with a photo whose library calls back twice, then reused while the next one loads.

@MainActor
func photo(_ side: Int) -> Image? {
    Image(
        size: PixelSize(width: side, height: side), format: .grey8, bytes: [UInt8](repeating: 128, count: side * side))
}

/// Lets what is queued on the main queue, and what that queues, be delivered.
@MainActor
func settle(until isDone: @MainActor () -> Bool) async {
    while !isDone() {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}

let library = PhotoLibrary()
let cell = GalleryCell()

cell.configure(thumbnail: library.thumbnail(for: "first"))
await settle { library.openRequests == 1 }
library.deliver(photo(8))
await settle { cell.image?.width == 8 }
print("first photo, degraded: \(cell.image.map { "\($0.size)" } ?? "nothing")")
library.deliver(photo(64))
await settle { cell.image?.width == 64 }
print("first photo, final:    \(cell.image.map { "\($0.size)" } ?? "nothing")")

cell.prepareForReuse()
cell.configure(thumbnail: library.thumbnail(for: "second"))
await settle { library.openRequests == 1 }
library.deliver(photo(8))
cell.prepareForReuse()
await settle { library.openRequests == 0 }
print("reused in mid-load:    \(cell.shown.count) images shown, \(library.cancelledRequests) requests ended")
