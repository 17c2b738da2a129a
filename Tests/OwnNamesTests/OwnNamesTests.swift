import ImagePipeline
import Streams
import Testing

// A program that has types of the same names, as one with a user interface library does: theirs and ours can both be named.

struct Image: Equatable {}
struct Source {}
struct Publisher {}
struct Processors {}
enum ContentMode { case fit }

@Suite("A client with names of its own")
struct OwnNamesTests {
    @Test("Its types hide ours, which the module's name still reaches")
    func bothCanBeNamed() throws {
        let ours: ImageCodecs.Image? = ImageCodecs.Image(
            size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [7])
        #expect(ours?.bytes == [7])
        #expect(Image() == Image())
        let rendition = ImageCodecs.Rendition(contentMode: ImageCodecs.ContentMode.fit)
        let request = ImagePipeline.ImageRequest("a.png", as: rendition)
        #expect(request.rendition == rendition)
        let loader: any ImagePipeline.Source<ImageRequest, ImageEvent> = ImagePipeline.ImageLoader.standard()
        withExtendedLifetime(loader) {}
        let values: any Streams.Publisher<Int, Never> = Streams.Just(1)
        withExtendedLifetime(values) {}
    }
}
