import ImagePipeline
import ImagePipelineMetrics
import MetricsTestKit
import PhotoGenerator
import Streams
import Testing

@Suite("Metrics for a backend of swift-metrics")
struct StageReporterTests {
    private let backend = TestMetrics()

    private func load(_ bytes: [UInt8], _ pipeline: ImageLoader) async -> Bool {
        do {
            _ = try await pipeline.image(
                for: ImageRequest(.data(bytes), as: Rendition(targetSize: PixelSize(width: 8, height: 8))))
            return true
        } catch {
            return false
        }
    }

    @Test("Loads, failures and hits are counted where they ended, and nothing is left active")
    func counts() async throws {
        let metrics = LoadMetrics(reportingAs: "images", to: backend)
        let pipeline = ImageLoader.standard(metrics: metrics)
        let photo = try #require(PhotoGenerator(seed: 1).image(PixelSize(width: 64, height: 48))).encoded(as: .png)
        #expect(await load(photo, pipeline))
        #expect(await load(photo, pipeline))
        #expect(await !load([1, 2, 3], pipeline))

        func total(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
            backend.counterTotal(label: label, dimensions: dimensions)
        }
        #expect(total("images_loads", [("stage", "request"), ("outcome", "finished"), ("from", "data")]) == 1)
        #expect(total("images_loads", [("stage", "request"), ("outcome", "finished"), ("from", "memory")]) == 1)
        #expect(total("images_loads", [("stage", "request"), ("outcome", "failed")]) == 1)
        #expect(total("images_loads", [("stage", "decoding"), ("outcome", "finished"), ("from", "data")]) == 1)
        #expect(total("images_bytes", [("stage", "bytes")]) == Int64(photo.count + 3))
        for stage in ["request", "decoding", "bytes"] {
            let active = try backend.expectMeter("images_active", [("stage", stage)])
            #expect(active.lastValue == 0)
        }
        let durations = try backend.expectTimer("images_duration", [("stage", "request"), ("from", "memory")])
        #expect(durations.values.count == 1)
    }

    @Test("A backend is told when the metrics are gone")
    func destroyed() async throws {
        var pipeline: ImageLoader? = ImageLoader.standard(metrics: LoadMetrics(reportingAs: "images", to: backend))
        if let pipeline { #expect(await !load([], pipeline)) }
        #expect(!backend.counters.isEmpty && !backend.meters.isEmpty)
        pipeline = nil
        #expect(backend.counters.isEmpty && backend.meters.isEmpty && backend.timers.isEmpty)
    }
}
