// What my account and a second step of signing in say, in Korean.
export const korean = {
  code: '2단계 인증 코드', codeHint: '인증 앱에 보이는 숫자 여섯 자리나 복구 코드를 입력하십시오.',
  settings_factor: '2단계 인증',
  factorOff: '지금은 비밀번호만으로 로그인합니다. 2단계 인증을 켜면 로그인할 때 휴대전화 앱의 코드도 입력합니다.',
  factorOn: '로그인할 때 비밀번호와 코드를 입력합니다. {time}에 켰습니다.',
  setUpFactor: '2단계 인증 설정',
  factorStep: '인증 앱으로 이 그림을 찍거나 키를 앱에 입력하십시오. 그다음 앱에 보이는 코드를 입력하십시오. 10분 안에 마쳐야 합니다.',
  factorPicture: '아래 키의 QR 코드', factorKey: '앱에 입력할 키', factorLink: '이 기기의 앱에서 열기',
  firstCode: '앱에 보이는 코드', turnOnFactor: '켜기', codeMissing: '코드를 입력하십시오.',
  factorTurnedOn: ({ ended }) => (ended ? '2단계 인증을 켰습니다. 다른 곳에서는 모두 로그아웃되었으며 토큰은 그대로입니다.' : '2단계 인증을 켰습니다.'),
  recoveryCodes: '복구 코드', recoveryOnce: '앱을 쓸 수 없을 때 코드마다 한 번 로그인할 수 있습니다. 지금만 보이니 찾기 쉬운 곳에 보관하십시오.',
  recoveryLeft: ({ count }) => ({ 0: '남은 복구 코드가 없습니다. 새로 만드십시오.', 1: '복구 코드가 하나 남았습니다. 새로 만드십시오.' }[count] ?? `복구 코드가 ${count}개 남았습니다.`),
  appOrRecovery: '앱에 보이는 코드나 복구 코드',
  renewRecovery: '복구 코드 새로 만들기', turnOffFactor: '끄기', factorTurnedOff: '2단계 인증을 껐습니다.',
  recoveryMade: '이전 복구 코드는 더는 쓸 수 없습니다.', factorOver: '10분이 지났습니다. 처음부터 다시 하십시오.',
  'event_factor-on': '2단계 인증 켬', 'event_factor-off': '2단계 인증 끔', 'event_code-refused': '틀린 코드',
  'event_recovery-used': '복구 코드 사용, {count}개 남음', 'event_recovery-made': '복구 코드 만듦',
  problems: {
    'wrong-code': '코드가 틀렸거나 이미 썼거나 시간이 지났습니다. 다음 코드를 기다리십시오.',
    'second-factor-unreadable': '2단계 인증을 확인할 수 없습니다. 복구 코드를 입력하거나 운영자에게 꺼 달라고 하십시오.',
  },
};
