import NIOCore
import NIOHTTP1
import NIOPosix

/// A server for the browsers of this machine, on a thread of its own.
struct WebServer: Sendable {
    private let channel: any Channel

    /// Begins to answer requests.
    ///
    /// - Parameters:
    ///   - port: The port on the loopback interface; 0 for one that is free.
    ///   - answer: Answers a request. It is called on the server's thread, and must not block.
    init(port: Int, _ answer: @escaping @Sendable (HTTPRequestHead) -> Reply) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    try channel.pipeline.syncOperations.addHandler(Connection(answer))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
    }

    /// The address that a browser opens.
    var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/" }
}
