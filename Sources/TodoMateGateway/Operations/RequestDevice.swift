import EventLoop
import HTTPServing
import TodoMate

/// Has what a request writes be logged with the device that sent it.
enum RequestDevice {
    /// What answers a request: the route's handler by itself, or in the name of the device that `User-Agent` tells.
    @LoopActor
    static func handler(of request: HTTPRequest, _ handler: @escaping HTTPRouter.Handler) -> HTTPRouter.Handler {
        guard ![.get, .head, .options].contains(request.method),
            let device = DeviceName.of(request.headers["user-agent"]).flatMap(WritingDevice.init)
        else { return handler }
        return { request, path in
            try await WritingDevice.$current.withValue(device) { try await handler(request, path) }
        }
    }
}
