/// How the answer to a request ended, as the server sees it.
public enum RequestEnding: Sendable, Hashable {
    /// All of the reply was handed to the system. (That the client has read it is more than a server can know.)
    case complete
    /// The client closed or reset the connection before that.
    case clientClosed
    /// The reply went wrong as its ``Fault`` says.
    case fault
    /// The request was no HTTP/1.1 that this server speaks.
    case refused
    /// The server was stopped.
    case stopped
}
