import ImagePipeline
import Streams

// The Swift of the article "What happens when…", compiled. WhatHappensTests runs it and compares what it prints.

private let box = PixelSize(width: 256, height: 256)

func traced(_ url: String) -> (request: ImageRequest, trace: LoadTrace) {
    var request = ImageRequest(url, as: .fit(box))
    let trace = LoadTrace()
    request.trace = trace
    return (request, trace)
}

@MainActor
func scrollFast(_ slot: ImageSlot, _ urls: [String]) -> [LoadTrace] {
    var traces: [LoadTrace] = []
    for url in urls {
        let (request, trace) = traced(url)
        slot.load(request)  // the load of the row before is cancelled
        traces.append(trace)
    }
    return traces
}

func loadAnew(_ pipeline: ImageLoader, _ url: String) async throws -> LoadTrace {
    var (request, trace) = traced(url)
    request.headers.append(HTTPField("Cache-Control", "no-cache"))  // ask the server whether it is as it was
    _ = try await pipeline.image(for: request)
    return trace
}

func networkDies(_ pipeline: ImageLoader, _ url: String) async -> LoadTrace {
    let (request, trace) = traced(url)
    do throws(LoadError) {
        _ = try await pipeline.image(for: request)
    } catch .transport(let error) {
        print("the network: \(error)")
    } catch {
        print("something else: \(error)")
    }
    return trace
}

func diskIsFull(_ url: String) async throws -> LoadTrace {
    let pipeline = ImageLoader.standard(disk: DiskCache(directory: "/proc/full"))  // nothing can be written there
    let (request, trace) = traced(url)
    _ = try await pipeline.image(for: request)
    return trace
}

func damagedFile(_ pipeline: ImageLoader, _ path: String) async throws -> LoadTrace {
    let (request, trace) = traced(path)
    let image = try await pipeline.image(for: request)
    if let damage = image.damage { print("shown in spite of this: \(damage)") }
    return trace
}

@MainActor
func brokenFile(_ pipeline: ImageLoader, _ path: String, _ icon: Image, _ view: PhotoView) -> (ImageSlot, LoadTrace) {
    let slot = ImageSlot(source: pipeline, failureImage: icon) { content in view.image = content.image }
    var (request, trace) = traced(path)
    request.rendition.damage = .refuse
    slot.load(request)  // what could be decoded is shown meanwhile; then it stays, or the icon takes its place
    return (slot, trace)
}
