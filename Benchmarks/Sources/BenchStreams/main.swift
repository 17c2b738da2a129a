report(synchronousChain() + justToSink() + subjectToSink() + createToSink() + flatMapping() + receiveOnQueue())
