import NIOCore
import NIOHTTP1
import Streams

/// One connection to a browser.
///
/// The subscription to an answer's body is the connection's: it requests the next piece when the last one has been taken by the socket, and it
/// is cancelled when the browser leaves. A browser closes its connection when a page aborts what it has asked for.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: @Sendable (HTTPRequestHead) -> Reply
    private var body: AnyCancellable?

    init(_ answer: @escaping @Sendable (HTTPRequestHead) -> Reply) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        // A browser waits for an answer before it asks again.
        guard body == nil else { return context.close(promise: nil) }
        let reply = request.method == .GET ? answer(request) : Reply(.methodNotAllowed)
        context.writeAndFlush(wrapOutboundOut(.head(reply.head(request))), promise: nil)
        let (channel, own) = (context.channel, NIOLoopBound(self, eventLoop: context.eventLoop))
        body = reply.body
            .flatMap(maxPublishers: .max(1)) { channel.writing($0) }
            .sink { _ in
                channel.eventLoop.execute {
                    own.value.body = nil
                    let end = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
                    if !request.isKeepAlive { end.whenComplete { _ in channel.close(promise: nil) } }
                }
            } receiveValue: { _ in
            }
    }

    func channelInactive(context: ChannelHandlerContext) {
        body?.cancel()
        body = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension Channel {
    /// Writes a piece of a body, and finishes when the socket has taken it, or when there is none any more.
    fileprivate func writing(_ bytes: [UInt8]) -> AnyPublisher<Void, Never> {
        .create { emitter in
            let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))
            self.writeAndFlush(part).whenComplete { _ in emitter.onComplete() }
            return Disposable {}
        }
    }
}
