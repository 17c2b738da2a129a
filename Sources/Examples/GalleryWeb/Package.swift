// swift-tools-version: 6.0
import PackageDescription

// A package as a user has it: copy the folder and put the library's address in place of the path. SwiftNIO is its own
// dependency: whoever builds the library does not build a web server.
let package = Package(
    name: "GalleryWeb",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ImageStreams", path: "../../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
    targets: [
        .executableTarget(
            name: "gallery-web",
            dependencies: [
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ImagePipeline", package: "ImageStreams"),
                .product(name: "ExampleSupport", package: "ImageStreams"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Program",
            // The page is compiled into the program.
            resources: [.embedInCode("Page")])
    ],
    swiftLanguageModes: [.v6]
)
