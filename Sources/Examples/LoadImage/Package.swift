// swift-tools-version: 6.0
import PackageDescription

// A package as a user has it: copy the folder and put the library's address in place of the path.
let package = Package(
    name: "LoadImage",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ImageStreams", path: "../../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "load-image",
            dependencies: [
                .product(name: "Streams", package: "ImageStreams"),
                .product(name: "ImagePipeline", package: "ImageStreams"),
                .product(name: "ExampleSupport", package: "ImageStreams"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Program")
    ],
    swiftLanguageModes: [.v6]
)
