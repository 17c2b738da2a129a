import Streams
import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("The thread of a transport")
struct OwnThreadTests {
    @Test("A load that begins where another one has failed needs nobody to wake the thread, however many do")
    func failures() {
        var options = TransportOptions.patient
        (options.addresses, options.proxy) = (.publicOnly, .none)
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        // Each is refused before anything is sent, and the next one begins within that.
        HTTPSource(CurlTransport(options)).events(for: ImageRequest("http://127.0.0.1:1/a.jpg")).retry(100)
            .subscribe(recorder)
        #expect(recorder.waitForCompletion())
        guard case .failure(.transport(.refusedAddress))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
    }
}
