import Dispatch
import ImagePipeline
import Streams
import StreamsTesting
import TestSupport
import Testing

@Suite("Subscribers that block")
struct BlockedSubscriberTests {
    @Test("Behind a queue of their own they hold up nobody's loads, however many there are")
    func behindQueues() throws {
        let gallery = try Gallery()
        for number in 0..<9 { gallery.server.route("/\(number).jpg", .resource(gallery.photo)) }
        let pipeline = ImageLoader.standard(transport: CurlTransport.patient(), decodesAtOnce: 2)
        let (isBlocked, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let blocked = (0..<8).map { number in
            pipeline.events(for: gallery.request("/\(number).jpg")).finalImage
                .receive(on: DispatchQueue(label: "blocked \(number)"))
                .sink { _ in
                } receiveValue: { _ in
                    isBlocked.signal()
                    goOn.wait()
                }
        }
        for _ in blocked { isBlocked.wait() }
        let free = gallery.load(gallery.request("/8.jpg"), from: pipeline)
        #expect(free.values.last?.finalValue != nil)
        for _ in blocked { goOn.signal() }
    }
}
