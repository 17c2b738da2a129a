// swift-tools-version: 6.0
import PackageDescription

// A package as a user has it: copy the folder and put the library's address in place of the path.
let package = Package(
    name: "OwnOperator",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "ImageStreams", path: "../../..")],
    targets: [
        .target(
            name: "OwnOperator", dependencies: [.product(name: "Streams", package: "ImageStreams")], path: "Library"),
        .testTarget(
            name: "OwnOperatorTests",
            dependencies: ["OwnOperator", .product(name: "StreamsTesting", package: "ImageStreams")], path: "Tests"),
    ],
    swiftLanguageModes: [.v6]
)
