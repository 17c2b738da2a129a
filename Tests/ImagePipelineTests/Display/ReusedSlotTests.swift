import LoopbackServer
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("An image slot on a pipeline")
struct ReusedSlotTests {
    @MainActor
    @Test("Reused in mid-load it cancels the first request, closes its socket and shows only the second")
    func reuse() async throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg",
            .resource(gallery.photo, contentType: "image/jpeg").failing(.stall(.body(2_000))))
        gallery.server.route("/b.png", .resource(try blackSquare(), contentType: "image/png"))
        var shown: [Image] = []
        try await confirmation { ended in
            var continuation: CheckedContinuation<Void, Never>?
            let slot = ImageSlot(source: gallery.pipeline()) { content in
                if let image = content.image { shown.append(image) }
                if content.isOver { continuation?.resume() }
            }
            slot.load(gallery.request("/a.jpg"))
            try await gallery.server.log.wait(for: .stalled("/a.jpg"))
            let before = shown.count
            await withCheckedContinuation {
                continuation = $0
                slot.load(gallery.request("/b.png"))
            }
            try await gallery.server.log.wait(for: .ended("/a.jpg", .clientClosed))
            #expect(shown[before...].allSatisfy { $0.size == PixelSize(width: 8, height: 8) })
            ended()
        }
    }

    private func blackSquare() throws -> [UInt8] {
        let size = PixelSize(width: 8, height: 8)
        let image = try #require(Image(size: size, format: .rgb8, bytes: [UInt8](repeating: 0, count: 192)))
        return try image.encoded(as: .png)
    }
}
