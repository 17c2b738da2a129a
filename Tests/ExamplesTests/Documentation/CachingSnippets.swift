import FoundationEssentials
import ImagePipeline
import ImagePipelineObjectStore
import ImagePipelineRedis
import Streams

// The Swift of the article on caches, compiled: DocumentTests compares line by line.

private struct CalendarDate: Sendable, Comparable {
    let day: Int
    static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.day < right.day }
}

private struct Clock: Sendable {
    let today: CalendarDate
}

private struct Day: Sendable, Decodable {
    let records: [String]
}

func trimmed(_ memory: MemoryCache<CacheKey, Image>) -> AnyCancellable {
    let trimming = memory.trims(on: MemoryPressure.signals())
    return trimming
}

func storingImages(_ disk: DiskCache, _ request: inout ImageRequest) -> ImageLoader {
    let pipeline = ImageLoader.standard(disk: disk, storingImagesAs: .jpeg(quality: 90))
    request.storedForm = .png()  // this one without loss
    return pipeline
}

func forgetting(_ disk: DiskCache, _ memory: MemoryCache<CacheKey, Image>, _ request: ImageRequest) {
    memory.removeValue(forKey: request.imageKey)
    let form = StoredForm.jpeg(quality: 90)
    for key in [request.dataKey, request.partialKey, request.storedImageKey(as: form), request.placeholderKey] {
        disk.remove(key)
    }
}

private func diary(
    _ origin: AnySource<CalendarDate, DataEvent>, in disk: DiskCache, _ memory: MemoryCache<CacheKey, Day>,
    _ clock: Clock
) -> some Source<CalendarDate, LoadEvent<Day>> {
    let threads = ThreadPoolScheduler(width: 2)
    let key: @Sendable (CalendarDate) -> CacheKey = { CacheKey(["day", "\($0.day)"]) }
    let policy: @Sendable (CalendarDate) -> CachePolicy = { $0 < clock.today ? .useCache : .noStore }
    let days =
        origin
        .cached(in: disk, by: key, policy: policy, on: threads)
        .decoded(on: threads) { try JSONDecoder().decode(Day.self, from: Data($0)) }
        .stored(in: memory, by: key, cost: { _ in 1 }, policy: policy)
        .coalesced(by: key)
        .served(from: memory, by: key, policy: policy)
    return days
}

func redis() -> ImageLoader {
    let pipeline = ImageLoader.standard(disk: RedisStore(RedisAddress(host: "cache.internal")))
    return pipeline
}

func objects(_ key: String, _ secret: String) -> ImageLoader {
    let address = ObjectStoreAddress(
        "https://s3.eu-central-1.amazonaws.com/bucket/images",
        credentials: .aws(key: key, secret: secret, region: "eu-central-1"))
    let pipeline = ImageLoader.standard(disk: ObjectStore(address))
    return pipeline
}
