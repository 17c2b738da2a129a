import PhotoGenerator
import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("The first image of a file that comes as one chunk")
struct FirstImageTests {
    @Test("Every load shows its embedded thumbnail before any takes the time of a whole image")
    func turns() throws {
        let photos = try NumberedPhotos(landscapes: 1)
        let held = HeldScheduler(VirtualTimeScheduler())
        let images = FileSource().decoded(on: held)
        let shown = Mutex<[String]>([])
        let loads = try (0..<3).map { number in
            let box = PixelSize(width: 512, height: 512)
            let request = ImageRequest(.data(try photos.file(number)), as: .fit(box))
            return images.events(for: request).sink { _ in
            } receiveValue: { event in
                switch event {
                case .progress: break
                case .degraded(let image, quality: _):
                    let strip = IdentityStrip(in: image, ofShape: photos.size.pixels)
                    shown.withLock { $0.append("thumbnail of \(strip?.number ?? -1)") }
                case .final: shown.withLock { $0.append("\(number)") }
                }
            }
        }
        held.run()
        #expect(shown.withLock { $0.prefix(3) } == ["thumbnail of 0", "thumbnail of 1", "thumbnail of 2"])
        #expect(Set(shown.withLock { $0 }).isSuperset(of: ["0", "1", "2"]))
        withExtendedLifetime(loads) {}
    }
}
