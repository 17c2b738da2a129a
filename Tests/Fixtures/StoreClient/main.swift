import CLibrary
import Dispatch
import ImagePipeline
import ImagePipelineRedis
import Streams
import Synchronization

// Loads one image for many subscribers at once, in a process of its own, for tests with several processes.
//
//     store-client DIRECTORY|redis:PORT URL SUBSCRIBERS
//
// Prints "loading" when all have subscribed, then the number of final images and the first failure.
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
    fatalError("usage: store-client DIRECTORY|redis:PORT URL SUBSCRIBERS")
}
let store: any BodyStore =
    arguments[1].hasPrefix("redis:")
    ? RedisStore(RedisAddress(port: Int(arguments[1].dropFirst(6)) ?? 6379)) : DiskCache(directory: arguments[1])
let pipeline = ImageLoader.standard(disk: store)
let request = ImageRequest(arguments[2], as: Rendition(targetSize: PixelSize(width: 32, height: 32)))
let tally = Mutex((finals: 0, failure: String?.none))
let isOver = DispatchGroup()
var loads: [AnyCancellable] = []
for _ in 0..<count {
    isOver.enter()
    pipeline.events(for: request).sink(
        receiveCompletion: { completion in
            if case .failure(let error) = completion {
                tally.withLock { if $0.failure == nil { $0.failure = "\(error)" } }
            }
            isOver.leave()
        },
        receiveValue: { event in
            if event.finalValue != nil { tally.withLock { $0.finals += 1 } }
        }
    ).store(in: &loads)
}
print("loading")
fflush(nil)
isOver.wait()
let (finals, failure) = tally.withLock { $0 }
print("finals: \(finals), failure: \(failure ?? "none")")
