// swift-tools-version: 6.0
import PackageDescription

// Debian's file for pkg-config names a flag that SwiftPM refuses with a warning; the header is found without it.
#if os(Linux)
    let hiredis: String? = nil
#else
    let hiredis: String? = "hiredis"
#endif

let package = Package(
    name: "ImageStreams",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Streams", targets: ["Streams"]),
        .library(name: "StreamsFoundation", targets: ["StreamsFoundation"]),
        .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
        .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
        .library(name: "ImageColour", targets: ["ImageColour"]),
        .library(name: "ImagePipeline", targets: ["ImagePipeline"]),
        .library(name: "ImagePipelineFoundation", targets: ["ImagePipelineFoundation"]),
        .library(name: "ImagePipelineMetrics", targets: ["ImagePipelineMetrics"]),
        .library(name: "ImagePipelineRedis", targets: ["ImagePipelineRedis"]),
        .library(name: "ImagePipelineObjectStore", targets: ["ImagePipelineObjectStore"]),
        .library(name: "ImagePipelineTesting", targets: ["ImagePipelineTesting"]),
        // What the examples stand on, so that a copy of one builds; it has no stable interface.
        .library(
            name: "ExampleSupport",
            targets: ["CLibrary", "CommandOutput", "Figures", "LoopbackServer", "PhotoGenerator"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        // The libraries people depend on.
        .target(name: "Streams", dependencies: ["CThread"]),
        .target(name: "StreamsFoundation", dependencies: ["Streams"]),
        .target(name: "StreamsTesting", dependencies: ["Streams", "CThread"]),
        .target(name: "ImageCodecs", dependencies: ["Files", "CJPEG", "CPNG", "CRows", "CZlib"]),
        // Colours by ICC profiles, for those who convert them: nobody else links the library that can.
        .target(name: "ImageColour", dependencies: ["ImageCodecs", "CLCMS2"]),
        .target(
            name: "ImagePipeline",
            dependencies: [
                "Streams", "ImageCodecs", "Files", "CChecksum", "CThread", "CCurl", "CLibCrypto", "CZlib",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Foundation's URL and localized errors, for those who link Foundation anyway.
        .target(name: "ImagePipelineFoundation", dependencies: ["ImagePipeline"]),
        // Counts and times for a backend of swift-metrics, for programs that have one.
        .target(
            name: "ImagePipelineMetrics",
            dependencies: [
                "ImagePipeline", .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Bodies in a Redis server, for those who have one: nobody else links its client.
        .target(name: "ImagePipelineRedis", dependencies: ["ImagePipeline", "Files", "CHiredis", "CZlib"]),
        // Bodies in S3 or on an HTTP server that takes PUT.
        .target(
            name: "ImagePipelineObjectStore", dependencies: ["ImagePipeline", "Files", "CCurl", "CLibCrypto", "CZlib"]),
        .target(
            name: "ImagePipelineTesting",
            dependencies: ["ImagePipeline", "Streams", "StreamsTesting", "LoopbackServer"]),

        // The layer under both: descriptors, directories and errors of the system as owned values.
        .target(name: "Files", dependencies: ["CLibrary", "CFiles"]),
        // The C library of the platform under one name.
        .target(name: "CLibrary"),

        // What Swift cannot say, of the thread, the files and of the C libraries, and those themselves.
        .target(name: "CThread"),
        .target(name: "CFiles"),
        .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
        .target(name: "CPNG", dependencies: ["CLibPNG"]),
        .target(name: "CRows"),
        .target(name: "CChecksum"),
        .target(name: "CCurl", dependencies: ["CLibCurl"]),
        .systemLibrary(
            name: "CLibJPEG", path: "Sources/System/libjpeg", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(
            name: "CLibPNG", path: "Sources/System/libpng", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CLibCurl", path: "Sources/System/libcurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CLibCrypto", path: "Sources/System/libcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CHiredis", path: "Sources/System/hiredis", pkgConfig: hiredis,
            providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
        .systemLibrary(
            name: "CLCMS2", path: "Sources/System/lcms2", pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/System/zlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // Programs to run, read and copy, and what they stand on.
        .target(
            name: "LoopbackServer", dependencies: ["CLibrary", "CThread"],
            path: "Sources/Examples/Support/LoopbackServer"),
        .target(
            name: "PhotoGenerator", dependencies: ["CLibrary", "ImageCodecs"],
            path: "Sources/Examples/Support/PhotoGenerator"),
        .target(name: "Figures", dependencies: ["CLibrary"], path: "Sources/Examples/Support/Figures"),
        .target(name: "CRename", path: "Sources/Examples/Support/CRename"),
        .target(
            name: "CommandOutput",
            dependencies: [
                "CLibrary", "ImageCodecs", "Files", "CRename",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Examples/Support/CommandOutput"),
        .executableTarget(
            name: "load-image",
            dependencies: [
                "CommandOutput", "Figures", "ImagePipeline", "Streams", "LoopbackServer", "PhotoGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Examples/LoadImage/Program"),
        .executableTarget(
            name: "thumbnails",
            dependencies: [
                "CLibrary", "CommandOutput", "Figures", "ImageCodecs", "Streams",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Examples/Thumbnails/Program"),
        .executableTarget(
            name: "gallery", dependencies: ["CLibrary", "ImagePipeline", "Streams", "Figures", "PhotoGenerator"],
            path: "Sources/Examples/Gallery/Program"),
        .executableTarget(
            name: "feed",
            dependencies: ["CLibrary", "ImagePipeline", "Streams", "Figures", "LoopbackServer", "PhotoGenerator"],
            path: "Sources/Examples/Feed/Program"),
        .executableTarget(
            name: "album",
            dependencies: [
                "CLibrary", "ImagePipeline", "Streams", "StreamsTesting", "Figures", "LoopbackServer", "PhotoGenerator",
            ],
            path: "Sources/Examples/Album/Program"),
        .executableTarget(
            name: "set-image",
            dependencies: ["CLibrary", "ImagePipeline", "Streams", "Figures", "LoopbackServer", "PhotoGenerator"],
            path: "Sources/Examples/SetImage/Program"),
        .executableTarget(
            name: "make-photos",
            dependencies: ["CLibrary", "CommandOutput", "PhotoGenerator", "ImageCodecs", "Streams"],
            path: "Sources/Examples/Support/MakePhotos"),
        .target(
            name: "GalleryCell", dependencies: ["Streams", "ImagePipeline"],
            path: "Sources/Examples/GalleryCell/Library"),
        .executableTarget(
            name: "gallery-cell", dependencies: ["CLibrary", "GalleryCell", "Streams", "ImagePipeline", "Figures"],
            path: "Sources/Examples/GalleryCell/Program"),
        .executableTarget(
            name: "records", dependencies: ["Streams", "ImagePipeline", "Figures"],
            path: "Sources/Examples/Records/Program"),
        .target(
            name: "MarbleCatalogue", dependencies: ["Streams", "StreamsTesting"],
            path: "Sources/Examples/Marbles/Catalogue"),
        .executableTarget(
            name: "marbles",
            dependencies: [
                "CommandOutput", "MarbleCatalogue",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Examples/Marbles/Program"),
        .target(name: "OwnOperator", dependencies: ["Streams"], path: "Sources/Examples/OwnOperator/Library"),
        .testTarget(
            name: "OwnOperatorTests", dependencies: ["OwnOperator", "Streams", "StreamsTesting"],
            path: "Sources/Examples/OwnOperator/Tests"),

        .testTarget(name: "StreamsTests", dependencies: ["CThread", "Streams", "StreamsTesting"]),
        .testTarget(
            name: "StreamsFoundationTests", dependencies: ["Streams", "StreamsFoundation", "StreamsTesting"]),
        // A client whose types have names of ours.
        .testTarget(name: "OwnNamesTests", dependencies: ["ImagePipeline", "Streams"]),
        .testTarget(
            name: "StreamsTestingTests", dependencies: ["Streams", "StreamsTesting", "CThread", "TestSupport"],
            exclude: ["Reports/Written"]),
        // Every operator against its model: what scripts/proof and scripts/mutants run.
        .testTarget(name: "StreamsProofTests", dependencies: ["CThread", "Streams", "StreamsTesting"]),
        .testTarget(
            name: "ImageCodecsTests",
            dependencies: [
                "ImageCodecs", "Files", "StreamsTesting", "PhotoGenerator", "CJPEG", "JPEGReference", "FuzzTargets",
                "TestSupport", "decode-file",
            ]),
        .testTarget(
            name: "ImageColourTests",
            dependencies: ["ImageColour", "ImagePipeline", "ImageCodecs", "CLCMS2", "TestSupport"]),
        .testTarget(
            name: "ImagePipelineTests",
            dependencies: [
                "CLibrary", "CChecksum", "CCurl", "ImagePipeline", "ImagePipelineTesting", "Files", "StreamsTesting",
                "LoopbackServer",
                "PhotoGenerator", "TestSupport", "CZlib", "disk-cache-writer", "load-at-exit", "load-storm",
                "photo-watcher", "store-client",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "ImagePipelineStoreTests",
            dependencies: [
                "ImagePipelineRedis", "ImagePipelineObjectStore", "ImagePipeline", "Files", "Streams", "StreamsTesting",
                "TestSupport",
                "store-client",
            ]),
        .testTarget(
            name: "ImagePipelineMetricsTests",
            dependencies: [
                "ImagePipelineMetrics", "ImagePipeline", "PhotoGenerator",
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "ImagePipelineFoundationTests", dependencies: ["ImagePipelineFoundation", "ImagePipeline"]),
        .target(
            name: "TestSupport", dependencies: ["CLibrary", "CThread", "Streams", "ImageCodecs", "Files"],
            path: "Tests/Support"),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "CLibrary", "CommandOutput", "Figures", "GalleryCell", "load-image", "gallery-cell", "gallery", "feed",
                "album", "set-image", "records", "thumbnails", "MarbleCatalogue", "marbles",
                "LoopbackServer", "PhotoGenerator", "ImagePipeline", "ImagePipelineRedis", "ImagePipelineObjectStore",
                "Files", "Streams", "StreamsTesting", "TestSupport",
            ]),
        .target(name: "JPEGReference", dependencies: ["CLibJPEG"], path: "Tests/Fixtures/JPEGReference"),
        .target(name: "FuzzTargets", dependencies: ["ImageCodecs"], path: "Tests/Fuzzing/Targets"),
        .executableTarget(
            name: "decode-file", dependencies: ["CLibrary", "ImageCodecs"], path: "Tests/Fixtures/DecodeFile"),
        .executableTarget(
            name: "load-at-exit", dependencies: ["CLibrary", "ImagePipeline", "Streams"],
            path: "Tests/Fixtures/LoadAtExit"),
        .executableTarget(
            name: "load-storm", dependencies: ["ImagePipeline", "Streams"], path: "Tests/Fixtures/LoadStorm"),
        .executableTarget(
            name: "store-client", dependencies: ["CLibrary", "ImagePipeline", "ImagePipelineRedis", "Streams"],
            path: "Tests/Fixtures/StoreClient"),
        .executableTarget(
            name: "photo-watcher", dependencies: ["CLibrary", "ImagePipeline", "Streams"],
            path: "Tests/Fixtures/PhotoWatcher"),
        .executableTarget(
            name: "disk-cache-writer", dependencies: ["CLibrary", "ImagePipeline"],
            path: "Tests/Fixtures/DiskCacheWriter"),
    ],
    swiftLanguageModes: [.v6]
)

// Tests spend most of their time with pixels and in operators' machines. `scripts/test` has those compiled with optimisation; nobody
// else may, as a package with such flags cannot be depended on.
if Context.environment["IMAGESTREAMS_QUICK_TESTS"] != nil {
    for target in package.targets {
        switch target.name {
        case "ImageCodecs", "ImageCodecsTests", "PhotoGenerator", "Streams", "StreamsTesting", "TestSupport":
            target.swiftSettings = [.unsafeFlags(["-O"])]
        case "CJPEG", "CPNG", "CRows", "JPEGReference": target.cSettings = [.unsafeFlags(["-O2"])]
        default: break
        }
    }
}
