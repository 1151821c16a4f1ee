// What the operator's section says, in both languages: fetched with it, as most people never see it.

const many = (one, more) => ({ count }) => `${count} ${String(count) === '1' ? one : more}`;

const english = {
  overview: 'Accounts and workers', whatIsRefused: 'What is refused', nothingRefused: 'Nothing was refused since the workers started.',
  lookAgain: 'Look again', noOperator: 'You may not do this, or not to this account.', noSuchAccount: 'There is no such account any more.',
  accountCount: many('account', 'accounts'), suspendedCount: '{count} suspended', operatorCount: many('operator', 'operators'),
  worker: 'Worker at {place}, process {pid}', workerVersion: 'version {version}', streamCount: many('stream', 'streams'), requestCount: many('request', 'requests'),
  memory: '{size} MiB of memory', redisGone: 'Redis cannot be reached', writesRefused: 'Redis refuses writes: {reason}',
  unsettled: many('channel is out of place', 'channels are out of place'), silentWorkers: many('worker did not answer', 'workers did not answer'),
  times: many('time', 'times'),
  refused_malformed: 'Requests that cannot be read', refused_invalid: 'Input that is out of bounds', refused_unauthenticated: 'Nobody signed in',
  refused_forbidden: 'Not allowed to this person', refused_exists: 'Already there', refused_conflict: 'Changed meanwhile', refused_full: 'No room left',
  refused_busy: 'Too much at a time', refused_unavailable: 'Redis not reached', refused_broken: 'Errors of the server', 'refused_not-found': 'Not there',
  'refused_too-many-attempts': 'Too many attempts to sign in', 'refused_too-many-requests': 'Too many writes', 'refused_wrong-password': 'Wrong current password',
  refused_suspended: 'Suspended accounts', 'refused_account-leaving': 'Accounts to be deleted',
  'refused_second-factor': 'No code given', 'refused_second-factor-unreadable': 'Second factors that cannot be checked', 'refused_wrong-code': 'Wrong codes', 'refused_too-large': 'Too large', 'refused_method-not-allowed': 'No such method',
  announcing: 'Announcement', announceText: 'What everybody is told', announceKorean: 'The same in Korean, if you like', announceLevel: 'How urgent',
  level_info: 'Information', level_warning: 'Warning', announceHours: 'For how long',
  hours: ({ count }) => (count === 1 ? 'An hour' : count % 24 ? `${count} hours` : count === 24 ? 'A day' : `${count / 24} days`),
  announce: 'Announce', endAnnouncement: 'Take it away', announceMissing: 'Write what everybody is to be told.',
  announced: 'It shows until {time}.', announcementEnded: 'Nothing is announced any more.',
  accounts: 'Accounts', searchAccounts: 'Names that begin with', whichAccounts: 'Which accounts', only_all: 'All', only_suspended: 'Suspended', only_operators: 'Operators',
  noAccounts: 'There is no such account.', isOperator: 'operator', isSuspendedNote: 'suspended', suspendedBecause: 'suspended: {reason}',
  todosAndSize: ({ count, used, most }) => `${count === 1 ? '1 todo' : `${count} todos`}, ${used} of ${most}`,
  sessionCounts: ({ signIns, tokens }) => `${signIns} signed in, ${tokens === 1 ? '1 token' : `${tokens} tokens`}`, hasLimits: 'own limits',
  suspendReason: 'Why, as the person is told', suspend: 'Suspend', resume: 'End the suspension', isSuspended: '{name} is suspended.', isResumed: '{name} can sign in again.',
  limit_bytes: 'Size of the todos, in MB', limit_todos: 'Number of todos', limit_tokens: 'Number of tokens', limit_writes: 'Writes in a minute',
  asServer: 'as the server allows', saveLimits: 'Save limits', limitsSaved: 'The limits of {name} are saved.',
};

const korean = {
  overview: '계정과 작업자', whatIsRefused: '거절된 요청', nothingRefused: '작업자가 시작한 뒤로 거절한 것이 없습니다.',
  lookAgain: '다시 보기', noOperator: '이 일을 할 수 없거나 이 계정에는 할 수 없습니다.', noSuchAccount: '그 계정은 이제 없습니다.',
  accountCount: '계정 {count}개', suspendedCount: '정지 {count}개', operatorCount: '운영자 {count}명',
  worker: '{place}의 작업자, 프로세스 {pid}', workerVersion: '버전 {version}', streamCount: '스트림 {count}개', requestCount: '요청 {count}건',
  memory: '메모리 {size} MiB', redisGone: 'Redis에 연결할 수 없습니다', writesRefused: 'Redis가 쓰기를 거절합니다: {reason}',
  unsettled: '제자리에 없는 채널 {count}개', silentWorkers: '작업자 {count}개가 답하지 않았습니다', times: '{count}번',
  refused_malformed: '읽을 수 없는 요청', refused_invalid: '범위를 벗어난 입력', refused_unauthenticated: '로그인하지 않음',
  refused_forbidden: '허용되지 않은 사람', refused_exists: '이미 있음', refused_conflict: '그사이 변경됨', refused_full: '남은 자리 없음',
  refused_busy: '한꺼번에 너무 많음', refused_unavailable: 'Redis에 연결 안 됨', refused_broken: '서버 오류', 'refused_not-found': '없음',
  'refused_too-many-attempts': '너무 많은 로그인 시도', 'refused_too-many-requests': '너무 많은 쓰기', 'refused_wrong-password': '틀린 현재 비밀번호',
  refused_suspended: '정지된 계정', 'refused_account-leaving': '삭제될 계정',
  'refused_second-factor': '코드 없음', 'refused_second-factor-unreadable': '확인할 수 없는 2단계 인증', 'refused_wrong-code': '틀린 코드', 'refused_too-large': '너무 큼', 'refused_method-not-allowed': '없는 메서드',
  announcing: '공지', announceText: '모두에게 알릴 말', announceKorean: '한국어로 된 같은 말 (선택)', announceLevel: '중요도',
  level_info: '안내', level_warning: '경고', announceHours: '기간',
  hours: ({ count }) => (count % 24 ? `${count}시간` : `${count / 24}일`),
  announce: '공지하기', endAnnouncement: '공지 내리기', announceMissing: '모두에게 알릴 말을 적으십시오.',
  announced: '{time}까지 보입니다.', announcementEnded: '이제 공지가 없습니다.',
  accounts: '계정', searchAccounts: '이렇게 시작하는 이름', whichAccounts: '어느 계정', only_all: '모두', only_suspended: '정지됨', only_operators: '운영자',
  noAccounts: '그런 계정이 없습니다.', isOperator: '운영자', isSuspendedNote: '정지됨', suspendedBecause: '정지됨: {reason}',
  todosAndSize: '할 일 {count}개, {most} 중 {used}', sessionCounts: '로그인 {signIns}개, 토큰 {tokens}개', hasLimits: '따로 정한 한도',
  suspendReason: '당사자에게 알릴 이유', suspend: '정지', resume: '정지 풀기', isSuspended: '{name} 계정을 정지했습니다.', isResumed: '{name} 계정으로 다시 로그인할 수 있습니다.',
  limit_bytes: '할 일의 크기 (MB)', limit_todos: '할 일 개수', limit_tokens: '토큰 개수', limit_writes: '1분에 쓰는 횟수',
  asServer: '서버 기본값', saveLimits: '한도 저장', limitsSaved: '{name} 계정의 한도를 저장했습니다.',
};

export const operatorWords = { en: english, ko: korean };
