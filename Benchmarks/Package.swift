// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that users of ImageStreams never build the peers; and a client module, as a user's would be,
// so that what it measures is what a user gets.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ImageStreams", path: ".."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    ],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "bench-streams",
            dependencies: [
                "CAllocations",
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "Sources/BenchStreams"),
        // The memory that Streams holds in the worst moment, and for ever.
        .executableTarget(
            name: "bench-memory",
            dependencies: ["CAllocations", .product(name: "Streams", package: "ImageStreams")],
            path: "Sources/BenchMemory"),
        // What scripts/fused looks into.
        .target(
            name: "FusedChains",
            dependencies: [
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ImagePipeline", package: "ImageStreams"),
            ]),
        .target(name: "ChildProcess"),
        .target(
            name: "BenchPictures",
            dependencies: ["ChildProcess", .product(name: "ImageCodecs", package: "ImageStreams")]),
        // Our conformance kit, turned on a library that isn't ours.
        .executableTarget(
            name: "peer-conformance",
            dependencies: [
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "StreamsTesting", package: "ImageStreams"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            path: "Sources/PeerConformance"),
        .executableTarget(
            name: "bench-programs",
            dependencies: ["ChildProcess", "BenchPictures"],
            path: "Sources/BenchPrograms"),
        .executableTarget(
            name: "bench-codecs",
            dependencies: ["ChildProcess", "BenchPictures", .product(name: "ImageCodecs", package: "ImageStreams")],
            path: "Sources/BenchCodecs"),
        .executableTarget(
            name: "bench-network",
            dependencies: [
                "ChildProcess",
                .product(name: "ImagePipeline", package: "ImageStreams"),
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ExampleSupport", package: "ImageStreams"),
            ],
            path: "Sources/BenchNetwork"),
        .executableTarget(
            name: "soak",
            dependencies: [
                .product(name: "ImagePipeline", package: "ImageStreams"),
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ExampleSupport", package: "ImageStreams"),
            ],
            path: "Sources/Soak"),
        .executableTarget(
            name: "bench-pipeline",
            dependencies: [
                "CAllocations", "BenchPictures",
                .product(name: "ImagePipeline", package: "ImageStreams"),
                .product(name: "Streams", package: "ImageStreams"),
            ],
            path: "Sources/BenchPipeline"),
        // A program of its own: what it links weighs on nobody else.
        .executableTarget(name: "urlsession-peer", dependencies: ["ChildProcess"], path: "Sources/URLSessionPeer"),
        .executableTarget(
            name: "bench-tiers",
            dependencies: [
                "CAllocations", "ChildProcess", "BenchPictures",
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ImagePipeline", package: "ImageStreams"),
            ],
            path: "Sources/BenchTiers"),
        .executableTarget(
            name: "bench-blur",
            dependencies: ["ChildProcess", "BenchPictures", .product(name: "ImageCodecs", package: "ImageStreams")],
            path: "Sources/BenchBlur"),
        .executableTarget(
            name: "bench-png-sizes",
            dependencies: [
                "ChildProcess", "BenchPictures", .product(name: "ImageCodecs", package: "ImageStreams"),
                .product(name: "ExampleSupport", package: "ImageStreams"),
            ],
            path: "Sources/BenchPNGSizes", exclude: ["pillow-sizes.py"]),
    ],
    swiftLanguageModes: [.v6]
)
