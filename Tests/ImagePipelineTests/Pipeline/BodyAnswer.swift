import Streams
import StreamsTesting
import TestSupport

@testable import ImagePipeline

/// An answer to a request for a body, which may end too early.
struct BodyAnswer: Sendable {
    var status = 200
    var headers = [HTTPField("ETag", "\"1\""), HTTPField("Content-Length", "60000")]
    var length: Int? = 60_000
    var body = BodyAnswer.body(0, 60_000)[..<40_000]
    var error: LoadError? = .transport(.connectionLost("cut"))

    func with(_ name: String, _ value: String?) -> BodyAnswer {
        var answer = self
        answer.headers.removeAll { $0.name == name }
        if let value { answer.headers.append(HTTPField(name, value)) }
        return answer
    }

    /// The rest of the body behind so many bytes.
    static func rest(_ range: String = "bytes 40000-59999/60000", status: Int = 206, count: Int = 20_000) -> BodyAnswer
    {
        BodyAnswer(
            status: status, headers: [HTTPField("ETag", "\"1\""), HTTPField("Content-Range", range)],
            length: count, body: BodyAnswer.body(0, 70_000)[40_000..<40_000 + count], error: nil)
    }

    static var whole: BodyAnswer { BodyAnswer(body: BodyAnswer.body(0, 60_000)[...], error: nil) }

    var events: AnyPublisher<DataEvent, LoadError> {
        let head = HTTPResponseHead(status: status, headers: headers, contentLength: length, isDelimited: true)
        let response = DataResponse(
            provenance: .network, expectedLength: length, status: status, head: head)
        let values: [DataEvent] = [.response(response), .chunk(Array(body))]
        let events = values.publisher.setFailureType(to: LoadError.self)
        return error.map { events.append(Fail(error: $0)).eraseToAnyPublisher() } ?? events.eraseToAnyPublisher()
    }

    /// The bytes of a body.
    static func body(_ seed: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 31 &+ ($0 >> 8) &* seed) }
    }

    /// A source that answers the first request with the beginning of a body, and the second in another way.
    static func scripted(
        _ first: BodyAnswer = BodyAnswer(), _ second: @escaping @Sendable (ImageRequest) -> BodyAnswer
    ) -> (some Source<ImageRequest, DataEvent>, Noted<[ImageRequest]>) {
        let requests = Noted<[ImageRequest]>()
        let source = AnySource<ImageRequest, DataEvent> { request in
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                let before = requests.value ?? []
                requests.note(before + [request])
                return (before.isEmpty ? first : second(request)).events
            }.eraseToAnyPublisher()
        }
        return (source, requests)
    }
}
