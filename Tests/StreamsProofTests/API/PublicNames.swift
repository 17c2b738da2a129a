/// The names that a user of Combine or Rx looks for.
enum PublicNames {
    /// The methods and properties of Combine's publishers, connectable publishers and cancellables.
    static let combineOperators = """
        allSatisfy append assertNoFailure assign autoconnect breakpoint breakpointOnError buffer catch collect \
        combineLatest compactMap connect contains count debounce decode delay drop dropFirst encode \
        eraseToAnyPublisher filter first flatMap handleEvents ignoreOutput last makeConnectable map mapError max \
        measureInterval merge min multicast output prefix prepend print receive reduce removeDuplicates replaceEmpty \
        replaceError replaceNil retry scan setFailureType share sink store subscribe switchToLatest throttle timeout \
        tryAllSatisfy tryCatch tryCompactMap tryContains tryDrop tryFilter tryFirst tryLast tryMap tryMax tryMin \
        tryPrefix tryReduce tryRemoveDuplicates tryScan values zip
        """

    /// What Rx and its kin have beyond.
    static let furtherOperators = """
        create withLatestFrom materialize dematerialize amb flatMapLatest flatMapFirst concatMap retryWhen repeat window \
        groupBy generate interval timer sample switchIfEmpty takeLast dropLast partition pairwise nwise enumerated \
        interspersed onBackpressureBuffer onBackpressureDrop onBackpressureLatest debug checkpoint contractChecked publisher firstValue \
        lastValue collected zipped combinedLatest stage fold
        """

    /// The types of Combine, and those that issue 3 names.
    static let types = """
        Publisher Subscriber Subscription Subject Scheduler Cancellable ConnectablePublisher AnyPublisher AnySubscriber \
        AnyCancellable Just Empty Fail Deferred Future Record PassthroughSubject CurrentValueSubject ReplaySubject \
        ImmediateScheduler ThreadPoolScheduler Published TopLevelEncoder TopLevelDecoder Demand Completion Sink Assign \
        Disposable SerialDisposable CompositeDisposable SingleAssignmentDisposable RefCountDisposable \
        ScheduledDisposable Lifetime ResourceCounter AllSatisfy AssertNoFailure Autoconnect Breakpoint Buffer Catch \
        Collect CollectByCount CollectByTime CombineLatest CombineLatest3 CombineLatest4 CompactMap Comparison \
        Concatenate Contains ContainsWhere Count Debounce Delay Drop DropUntilOutput DropWhile Filter First FirstWhere \
        FlatMap HandleEvents IgnoreOutput Last LastWhere MakeConnectable Map MapError MeasureInterval Merge MergeMany \
        Multicast Output PrefixUntilOutput PrefixWhile Print ReceiveOn Reduce RemoveDuplicates ReplaceEmpty Retry Scan \
        Sequence SetFailureType Share SubscribeOn SwitchToLatest Throttle TimeGroupingStrategy Timeout TryAllSatisfy \
        TryCatch TryCompactMap TryComparison TryContainsWhere TryDropWhile TryFilter TryFirstWhere TryLastWhere TryMap \
        TryPrefixWhile TryReduce TryRemoveDuplicates TryScan Zip Zip3 Zip4 PrefetchStrategy BufferingStrategy Using \
        Timer Signal BackOff
        """

    static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
