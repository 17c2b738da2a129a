import ImagePipeline
import PhotoGenerator
import Testing

@Suite("Generated photos")
struct PhotoGeneratorTests {
    @Test("The same seed gives the same picture, another seed another one")
    func deterministic() throws {
        let size = PixelSize(width: 90, height: 60)
        let first = try #require(PhotoGenerator(seed: 1).image(size))
        #expect(PhotoGenerator(seed: 1).image(size) == first)
        #expect(PhotoGenerator(seed: 2).image(size) != first)
        #expect(first.size == size)
    }

    @Test("Any size with positive sides is possible", arguments: [(1, 1), (1, 300), (300, 1), (7, 5), (5, 7)])
    func sizes(width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        #expect(PhotoGenerator(seed: 3).image(size)?.size == size)
        #expect(PhotoGenerator(seed: 3).image(PixelSize(width: width, height: 0)) == nil)
        #expect(PhotoGenerator(seed: 3).image(PixelSize(width: -1, height: height)) == nil)
    }

    @Test("A picture compresses like a photo: neither flat nor noise")
    func looksLikeAPhoto() throws {
        let image = try #require(PhotoGenerator(seed: 4).image(PixelSize(width: 300, height: 200)))
        let bitsPerPixel = Double(try image.encoded(as: .jpeg(quality: 85)).count * 8) / (300 * 200)
        #expect((0.5...5).contains(bitsPerPixel))
    }
}
