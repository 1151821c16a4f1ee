import CommandArguments
import Foundation
import RedisClient
import TerminalUI
import TodoMate

/// The program `todomate`.
@main
struct TodoMateProgram {
    static let commands = CommandSet(
        program: "todomate",
        summary: "A self-hosted todo service whose every change shows at once, in every worker and every open view.",
        version: Release.version,
        revision: BuildFacts.revision,
        buildFacts: BuildFacts.text,
        commands: [
            UpCommand.self, WorkerCommand.self, AddCommand.self, ListCommand.self, SearchCommand.self, EditCommand.self,
            StartCommand.self, DoneCommand.self, ReopenCommand.self, MoveCommand.self, RemoveCommand.self,
            NoteCommand.self, HistoryCommand.self, RecoverCommand.self, GoalListCommand.self, GoalSetCommand.self,
            GoalRemoveCommand.self, GoalMoveCommand.self,
            RoutineAddCommand.self, RoutineListCommand.self, RoutineEditCommand.self, RoutineSkipCommand.self,
            RoutineEndCommand.self,
            WatchCommand.self, LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, PasswordCommand.self,
            UserAddCommand.self,
            UserPasswordCommand.self, UserRemoveCommand.self,
            UserListCommand.self, UserEventsCommand.self, UserResetCommand.self, UserSuspendCommand.self,
            UserResumeCommand.self, UserLimitCommand.self, UserRoleCommand.self,
            AnnounceCommand.self, MailCommand.self, InviteCommand.self,
            UserFactorCommand.self, UserMailCommand.self, UserLeaveCommand.self, UserStayCommand.self,
            InviteListCommand.self, InviteEndCommand.self, SessionListCommand.self, SessionEndCommand.self,
            TokenCommand.self,
            FollowCommand.self, UnfollowCommand.self, FollowingCommand.self,
            FollowersCommand.self, AcceptCommand.self, RefuseCommand.self, BlockCommand.self, UnblockCommand.self,
            ProfileCommand.self, LimitsCommand.self, FeedCommand.self, ReactCommand.self, ReactionsCommand.self,
            WeekCommand.self, BadgesCommand.self,
            ExportCommand.self,
            ImportCommand.self, DoctorCommand.self, LibraryLoadCommand.self, LibraryShowCommand.self,
            CompletionCommand.self, ManualCommand.self,
        ],
        examples: [
            .init("todomate up", "Run a private Redis and two workers here."),
            .init("todomate add alice \"Buy milk\"", "Every worker that observes alice shows it."),
            .init("todomate watch alice", "Follow alice's day and month in the terminal."),
        ],
        exitCodes: ExitCode.meanings
    )

    static func main() async {
        Heap.useOne()
        let line = Array(CommandLine.arguments.dropFirst())
        let environment = SignedInUser.environment(ProcessInfo.processInfo.environment, for: line)
        let (output, messages) = (Terminal(environment: environment), Terminal(descriptor: 2, environment: environment))
        let context = CommandSet.Context(
            environment: environment,
            width: min(output.columns, 100),
            output: { try StandardOutput.write($0) },
            errorOutput: { messages.write($0) },
            describe: CommandError.init(describing:)
        )
        if let number = brokenArgument {
            messages.write("todomate: argument \(number) is not valid UTF-8: write it anew\n")
            exit(ExitCode.dataError.rawValue)
        }
        let code = await commands.run(line, in: context)
        exit(code.rawValue)
    }

    /// The first argument that is not text; Swift would have put other characters in its place.
    private static var brokenArgument: Int? {
        (0..<Int(CommandLine.argc)).first { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
        }
    }
}
