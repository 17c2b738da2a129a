import Streams

/// A source of bytes loaded by HTTP. Demand reaches the socket; a cancel closes it.
///
/// A status other than 200 is a failure, and so is a body that ends short of its announced length. A body that ends with
/// its connection is not for caches: nobody can tell whether it is whole.
public struct HTTPSource: Source {
    private let transport: any HTTPTransport

    public init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    public func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        guard case .url(let url) = request.resource else {
            return Fail(error: .unsupported("only URLs are loaded by HTTP")).eraseToAnyPublisher()
        }
        return AnyPublisher.create { [transport] emitter in
            let transfer = transport.start(
                HTTPRequest(url: url, headers: request.headers), receiver: EmittingReceiver(emitter: emitter))
            emitter.onRequest { transfer.request($0.max ?? .max) }
            return Disposable { transfer.cancel() }
        }
    }
}

/// Passes on what a transfer receives.
private struct EmittingReceiver: HTTPReceiver {
    let emitter: Emitter<DataEvent, LoadError>

    func didReceive(_ head: HTTPResponseHead) {
        guard head.status == 200 else { return emitter.onError(.status(head.status)) }
        let directives = head["cache-control"].flatMap { $0.lowercased().split(separator: ",") }
        let mayBeStored = !directives.contains { $0.filter { $0 != " " } == "no-store" }
        emitter.onNext(
            .response(
                DataResponse(
                    provenance: .network, expectedLength: head.contentLength, status: head.status,
                    isStorable: mayBeStored && head.isDelimited)))
    }

    func didReceive(_ bytes: [UInt8]) {
        emitter.onNext(.chunk(bytes))
    }

    func didEnd(_ error: TransportError?) {
        if let error { emitter.onError(.transport(error)) } else { emitter.onComplete() }
    }
}
