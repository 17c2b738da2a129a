// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that nobody who runs another benchmark builds SwiftNIO.
let package = Package(
    name: "NetworkPeer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0")],
    targets: [
        .executableTarget(
            name: "async-http-client-peer",
            dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")],
            path: "Sources/AsyncHTTPClientPeer")
    ],
    swiftLanguageModes: [.v6]
)
