import TodoMate
import TodoMateClient

/// The board in Korean.
struct KoreanWords: BoardWords {
    let live = "실시간"
    let connecting = "연결 중 …"
    let reconnecting = "다시 연결 중 …"
    func tryingAgain(in seconds: Int) -> String { "연결 끊김, \(seconds)초 뒤 다시 연결" }
    func refused(_ reason: String) -> String { "거절됨: \(reason)" }
    func waiting(_ count: Int) -> String { "전송 대기 \(count)개" }
    func refused(_ count: Int) -> String { "거절 \(count)개" }
    func unsaved(_ count: Int) -> String { "저장 대기 \(count)개" }

    let today = "오늘"
    let tomorrow = "내일"
    let yesterday = "어제"
    let loading = "불러오는 중 …"
    func earlier(_ count: Int) -> String { "지난 할 일 · \(count)" }
    let nothingToday = "오늘은 비어 있습니다. 쉬어도 좋고, a를 눌러 첫 할 일을 적어도 좋습니다."
    let nothingThatDay = "이날은 아직 비어 있습니다."
    let nothingMatches = "맞는 할 일이 없습니다."
    func notCurrent(_ reason: String) -> String { "최신이 아님: \(reason)" }
    func done(_ done: Int, of count: Int) -> String { "\(count)개 중 \(done)개 완료" }
    func open(_ count: Int) -> String { "남은 일 \(count)개" }
    func more(_ count: Int) -> String { "\(count)개 더" }
    func moreLists(_ count: Int) -> String { "목록 \(count)개 더: Tab" }
    func filtered(_ words: String, _ count: Int) -> String { "“\(words)” 검색: \(count)개. Esc 모두 보기" }

    func addLabel(_ day: String) -> String { "\(day)에 추가" }
    let editLabel = "편집"
    let noteLabel = "메모"
    let dayNoteLabel = "일기"
    let moveLabel = "옮길 날"
    let enterSaves = "Enter 저장 · Esc 취소"
    func until(_ day: String) -> String { "\(day)까지" }
    func read(_ readings: [(words: String, meaning: String)]) -> String {
        let said = readings.map { "“\($0.words)” → \($0.meaning)" }.joined(separator: ", ")
        return "읽은 것: \(said). 글 그대로 추가하려면 --as-is"
    }
    func enterSaves(_ reading: String) -> String { "\(reading) · Ctrl-T 글로 두기 · Enter 저장" }
    let enterSavesNote = "Enter 저장 · Alt-Enter 줄 바꿈 · Esc 취소"
    let enterMoves = "내일, 2026-11-25, 금요일 9:30, 시각을 없애려면 없음 · Enter 옮기기 · Esc 취소"
    let noGoal = "목표 없음"
    let nothingListed = "할 일 없음"
    let goalLabel = "목표"
    func routineLabel(_ day: String) -> String { "\(day)부터 루틴" }
    func enterGives(_ goals: String) -> String {
        goals.isEmpty ? "목표가 없습니다. 'todomate goal set'으로 만드십시오." : "\(goals) 중 하나, 비우면 없음 · Enter 저장"
    }
    let enterFilters = "Enter 검색 유지 · Esc 모두 보기"

    let hasNote = "메모 있음"
    let repeats = "반복"
    let onlyShown = "보이기만 함"
    let closeHint = "Esc 닫기 · j k 스크롤"
    let quitHint = "Ctrl-C 종료"

    func status(_ status: TodoStatus) -> String {
        switch status {
        case .todo: "할 일"
        case .inProgress: "진행 중"
        case .complete: "완료"
        case .incomplete: "미완료"
        }
    }

    func visibility(_ visibility: Visibility) -> String {
        switch visibility {
        case .public: "누구나"
        case .followers: "팔로워"
        case .private: "나만"
        }
    }

    func added(_ time: String) -> String { "\(time) 추가" }
    func changed(_ time: String) -> String { "\(time) 변경" }

    func historyTitle(_ content: String) -> String { "“\(content)”의 변경 기록" }
    let removedTitle = "삭제한 할 일"
    let historyHint = "b 그때대로 되살리기 · j k 고르기 · Esc 닫기"
    let removedHint = "b 되살리기 · Enter 변경 기록 · Esc 닫기"
    let nothingRemoved = "삭제한 할 일이 없습니다."
    let cameBack = "되살림"
    let nothingKnown = "알려진 변경이 없습니다."

    func happened(_ kind: ChangeKind) -> String {
        switch kind {
        case .added: "추가"
        case .modified, .relation, .settings: "변경"
        case .removed: "삭제"
        }
    }

    func difference(_ difference: TodoDifference, to todo: Todo, day: (CalendarDate) -> String) -> String {
        switch difference {
        case .content(let before): "“\(short(before))” → “\(short(todo.content))”"
        case .detail: todo.detail.isEmpty ? "메모 삭제" : "메모 변경"
        case .status(let before): "\(status(before)) → \(status(todo.status))"
        case .date(let before): "\(day(before)) → \(day(todo.date))"
        case .time(let before): "\(before?.description ?? "시각 없음") → \(todo.time?.description ?? "시각 없음")"
        case .goal: todo.goal == nil ? "목표 없음" : "목표 변경"
        case .position: "순서 변경"
        case .visibility(let before): "\(visibility(before)) → \(visibility(todo.visibility))"
        case .reactions: "반응"
        }
    }

    func device(_ device: WritingDevice) -> String {
        let parts = device.description.split(separator: " on ", maxSplits: 1)
        return parts.count == 2 ? "\(parts[1])의 \(parts[0])" : device.description
    }

    let unknownBefore = "그 전의 모습은 알 수 없습니다"
    let writtenAgain = "같은 내용으로 다시 저장"

    func reach(_ reach: TodoHistory.Reach, _ time: String?) -> String {
        switch (reach, time) {
        case (.whole, let time?): "첫 변경(\(time))부터의 기록 전부입니다."
        case (.whole, nil): "기록 전부입니다."
        case (.trimmed, let time): "마지막 변경 1,000개쯤만 보관합니다. \(time ?? "지금") 이전은 알 수 없습니다."
        case (.lost, let time): "기록이 사라져 \(time ?? "지금") 이전은 알 수 없습니다."
        }
    }

    let unsentTitle = "여기서 바꾸었고 서버에는 아직 없는 것"
    let nothingUnsent = "모두 서버에 저장되었습니다."
    let unsentHint = "Enter 다시 시도 · d 거절된 것 버리기 · j k 고르기 · Esc 닫기"
    func unsent(_ state: PendingChange.State) -> String {
        switch state {
        case .pending: "대기"
        case .sent: "보내는 중, 응답 없음"
        case .refused: "거절"
        }
    }
    func whyRefused(_ error: TodoError, _ kind: PendingChange.Kind) -> String {
        switch (error, kind) {
        case (.notFound, .edited): "다른 곳에서 삭제되었습니다. Enter를 누르면 쓴 것을 담아 다시 추가합니다."
        case (.notFound, .skipped), (.notFound, .unskipped): "그 루틴은 더는 없습니다."
        case (.conflict, .removed): "그 뒤 다른 곳에서 바뀌었습니다. Enter를 누르면 지금 모습 그대로 삭제합니다."
        case (.exists, .added): "같은 ID의 다른 할 일이 있습니다. Enter를 누르면 거기에 씁니다."
        case (.invalid, .skipped), (.invalid, .unskipped): "그 루틴에는 이제 이날이 없습니다."
        case (.invalid, _): "서버가 이대로는 받지 않습니다. 고른 목표가 다른 곳에서 삭제되었을 수 있습니다."
        case (.full, .skipped): "이 루틴은 건너뛸 수 있는 날을 다 썼습니다. 끝내고 새로 만드십시오."
        case (.refused, _): "이 로그인으로는 저장할 수 없습니다."
        default: reason(error)
        }
    }
    func done(_ kind: PendingChange.Kind) -> String {
        switch kind {
        case .added: "추가"
        case .edited: "변경"
        case .removed: "삭제"
        case .skipped: "건너뛰기"
        case .unskipped: "건너뛰기 취소"
        }
    }

    let searchLabel = "모든 날에서 검색"
    let enterSearches = "Enter 검색 · Esc 취소"
    let foundAnything = "모든 할 일"
    func foundTitle(_ text: String) -> String { "“\(text)” 검색 결과" }
    let nothingFound = "찾은 할 일이 없습니다. S를 눌러 다른 말로 찾으십시오."
    let foundHint = "Enter 그날로 가기 · S 낱말 · i 상태 · # 목표 · h l 달 · Esc 닫기"

    let weekTitle = "지난 7일 동안 완료한 일"
    let nothingFinished = "완료한 일이 여기에 보입니다."
    func finishedOfWeek(_ count: Int) -> String { "\(count)개 완료" }
    func streak(_ days: Int) -> String { days < Week.longestStreak ? "\(days)일 연속 완료" : "1년 넘게 매일 완료" }
    let nobodyReacted = "아직 반응이 없습니다."

    func help(_ command: BoardCommand) -> String {
        switch command {
        case .nextTodo, .previousTodo: "다음 할 일, 이전 할 일"
        case .firstTodo, .lastTodo: "첫 할 일, 마지막 할 일"
        case .nextDay, .previousDay, .today: "전날, 다음 날, 오늘로"
        case .nextMonth, .previousMonth: "이전 달, 다음 달"
        case .nextUser, .previousUser: "다음 사용자, 이전 사용자"
        case .open, .week: "할 일 전체 보기, 지난 7일 동안 완료한 일 보기"
        case .add, .dayNote: "보이는 날에 할 일 추가, 일기 쓰기"
        case .edit, .note, .goal, .changeRoutine: "내용 편집, 메모 쓰기, 목표 정하기, 그날부터 루틴 바꾸기"
        case .finish: "완료, 다시 할 일로"
        case .begin, .notDone: "진행 중 표시, 미완료 표시, 다시 할 일로"
        case .move: "다른 날이나 시각으로 옮기기"
        case .toToday, .allToToday: "오늘로 옮기기, 지난 할 일 모두 오늘로 옮기기"
        case .toNextDay, .toPreviousDay: "전날로, 다음 날로 옮기기"
        case .down, .up: "아래로, 위로"
        case .delete, .endRoutine: "삭제하거나 그날 건너뛰기, 그날부터 루틴 끝내기"
        case .undo, .unsent: "여기서 한 마지막 변경 되돌리기, 보내지 못한 변경 보기"
        case .history, .bringBack: "변경 기록, 삭제한 할 일 보기. b로 되살리기"
        case .filter, .search, .byGoal, .leave: "이 말이 든 할 일만 보기, 모든 날에서 찾기, 목표별로 보기, 모두 보기"
        case .help, .redraw, .quit: "도움말, 화면 다시 그리기, 종료"
        }
    }

    func hint(_ command: BoardCommand) -> String {
        switch command {
        case .add: "추가"
        case .edit: "편집"
        case .finish: "완료"
        case .move: "옮기기"
        case .allToToday: "모두 오늘로"
        case .delete: "삭제"
        case .undo: "되돌리기"
        case .filter: "검색"
        case .nextDay, .previousDay: "날짜"
        case .nextMonth, .previousMonth: "달"
        case .help: "도움말"
        case .quit: "종료"
        default: help(command)
        }
    }

    func notice(_ notice: BoardNotice, day: (CalendarDate) -> String) -> String {
        switch notice {
        case .deleted(let content): "“\(short(content))” 삭제됨. u 되돌리기"
        case .deletedForGood(let content): "“\(short(content))” 삭제됨. u를 눌러 되돌려도 반응은 돌아오지 않습니다."
        case .skipped(let content): "“\(short(content))” 이 날은 건너뜀. u 되돌리기"
        case .moved(let content, let date, let time):
            "“\(short(content))” → \(day(date))\(time.map { " \($0)" } ?? ""). u 되돌리기"
        case .added(let content, let date, let time):
            "“\(short(content))” 추가됨: \(day(date))\(time.map { " \($0)" } ?? ""). u 되돌리기"
        case .routineAdded(let content): "“\(short(content))” 루틴으로 추가됨. u 되돌리기"
        case .routineEnded(let content, let date): "“\(short(content))” 루틴 끝냄: \(day(date))부터. u 되돌리기"
        case .routineChanged(let content, let date): "“\(short(content))” 루틴 바꿈: \(day(date))부터. u 되돌리기"
        case .routineChangedElsewhere(let content):
            "“\(short(content))” 루틴이 다른 곳에서 바뀌었습니다. 확인하고 다시 시도하십시오."
        case .routineSaving(let content): "“\(short(content))”: 바꾼 루틴을 아직 저장하는 중입니다."
        case .noRoutine(let content): "“\(short(content))”: 이어지는 루틴의 할 일이 아닙니다."
        case .notItsDay(let content, let date):
            "\(day(date)): 이제 “\(short(content))” 루틴의 날이 아닙니다. 루틴의 날에서 바꾸십시오."
        case .tooManyLines(let count): "한 번에 \(NewTodos.most)개까지 추가할 수 있습니다. 지금은 \(count)개입니다."
        case .tooLong(let count): "할 일은 \(TodoBounds.contentLength)자까지 쓸 수 있습니다. 지금은 \(count)자입니다."
        case .movedAll(let count): "\(count)개 → 오늘. u 되돌리기"
        case .broughtBack(let content): "“\(short(content))”: 그때대로 되살렸습니다. u 되돌리기"
        case .notBroughtBack(let error): "되살리지 못함: \(reasonNotBack(error))"
        case .undone(let content): "되돌림: “\(short(content))”"
        case .undoneAll(let count): "되돌림: \(count)개"
        case .nothingToUndo: "되돌릴 것이 없습니다."
        case .notUndone(let content, let error): "되돌리지 못함: “\(short(content))” \(sinceThen(error))"
        case .nothingSelected: "여기에는 할 일이 없습니다. a를 눌러 추가하십시오."
        case .nothingEarlier: "지난 할 일이 없습니다."
        case .noNote(let uid, let date): "\(day(date)): \(uid)의 일기가 없거나 공개되지 않았습니다."
        case .readOnly(let uid): "\(uid)의 목록은 볼 수만 있습니다. 내 목록만 바꿀 수 있습니다."
        case .onlyShown(let content): "“\(short(content))”: 알려지기만 하고 어디에도 저장되지 않은 항목이라 바꿀 수 없습니다."
        case .notSaved(let error): "저장되지 않음: \(reason(error))"
        case .goneWhileEditing: "다른 곳에서 삭제되었습니다. Enter로 다시 추가합니다."
        case .orderedByTime(let content): "“\(short(content))”: 시각 순서대로 놓입니다. m을 눌러 시각을 바꾸십시오."
        case .orderedByGoal(let content): "“\(short(content))”: 목표별로 모여 있습니다. #으로 목표를 바꾸거나 o로 묶음을 푸십시오."
        case .byGoal(let isOn): isOn ? "목표별로 모았습니다." : "원래 순서대로 놓았습니다."
        case .empty: "내용을 입력하십시오. Esc를 누르면 그대로 둡니다."
        case .noDay(let text): "“\(short(text))”: 날짜나 시각이 아닙니다. 내일, 금요일 9:30, 2026-11-25처럼 쓰십시오. 시각을 없애려면 없음이라고 쓰십시오."
        case .noGoal(let text): "“\(short(text))”라는 목표가 없습니다. 있는 이름을 쓰거나 비우십시오."
        case .overwritten(let content, let others):
            "“\(short(content))”\(others > 0 ? " 외 \(others)개" : ""): 다른 곳에서도 바뀌었지만 여기서 쓴 것을 남겼습니다. H 모두 보기"
        case .discarded(let content): "“\(short(content))” 버렸습니다."
        case .stillSent(let content): "“\(short(content))”: 아직 보내는 중입니다. 목록에서 되돌리십시오."
        case .notKept(let reason): "연결되어 있을 때만 저장됩니다: \(reason)"
        case .savingBeforeQuit: "마지막 변경을 저장하는 중 … Ctrl-C 저장하지 않고 종료"
        }
    }

    func unread(_ error: TodoError) -> String {
        switch error {
        case .unavailable: "응답이 없습니다. 잠시 뒤에 다시 시도하십시오."
        case .refused: "할 수 없는 일입니다. 볼 수 없게 되었거나 로그인이 끝났습니다."
        case .notFound, .gone: "더는 없습니다."
        case .broken: "서버에 오류가 있습니다. 운영자에게 알려 주십시오."
        case .invalid, .exists, .reused, .conflict, .full, .leaving: "서버가 받지 않습니다."
        }
    }

    private func sinceThen(_ error: TodoError) -> String {
        switch error {
        case .notFound: "다른 곳에서 삭제되었습니다."
        case .exists: "이미 다시 있습니다."
        default: "다른 곳에서 바뀌었습니다. H를 누르면 지금 모습을 봅니다."
        }
    }

    private func reasonNotBack(_ error: TodoError) -> String {
        switch error {
        case .conflict, .exists, .notFound: "그사이 다른 곳에서 바뀌었습니다. H를 누르면 지금 모습을 봅니다."
        default: reason(error)
        }
    }

    private func reason(_ error: TodoError) -> String {
        switch error {
        case .conflict: "다른 곳에서 바뀌었습니다. Enter를 누르면 내 것으로 저장합니다."
        case .notFound: "다른 곳에서 삭제되었습니다."
        case .full: "더 담을 자리가 없습니다. 먼저 몇 개를 지우십시오."
        case .leaving: "삭제될 계정입니다. 먼저 ‘내 계정’에서 계정을 유지하십시오."
        case .invalid: "받지 않는 내용이거나 너무 깁니다."
        case .exists, .reused: "같은 것이 이미 있습니다."
        default: unread(error)
        }
    }
}
