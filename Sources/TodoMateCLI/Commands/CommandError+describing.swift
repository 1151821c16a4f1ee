import CommandArguments
import EventLoop
import RedisClient
import TodoMate
import TodoMateClient
import TodoMateGateway

extension CommandError {
    /// How an error of the libraries ends the program.
    init(describing error: any Error) {
        switch error {
        case let error as TodoError: self.init(error.description, exitCode: error.exitCode)
        case SignInError.unavailable(let text, _): self.init(text, exitCode: .unavailable)
        case let error as SignInError: self.init(error.description, exitCode: .dataError)
        case RedisError.invalidURL: self.init("\(error)", exitCode: .usage)
        case is RedisError, is ChildProcessError, is GatewayError, is NoFreePort:
            self.init("\(error)", exitCode: .unavailable)
        default: self.init("\(error)", exitCode: .software)
        }
    }
}

extension TodoError {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .invalid, .exists, .notFound, .conflict, .full, .leaving, .refused, .reused, .gone: .dataError
        case .unavailable: .unavailable
        case .broken: .software
        }
    }
}
