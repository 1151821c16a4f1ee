// What a second step of signing in says, and what may be wrong with a code, in English and Korean.
export const words = {
  en: {
    code: 'Code of your second factor', codeHint: 'Six digits from your authenticator app, or a recovery code.',
    problems: {
      'wrong-code': 'The code is wrong, was used before, or is over. Wait for the next one.',
      'second-factor-unreadable': 'Your second factor cannot be checked. Type a recovery code, or ask the operator to turn it off.',
    },
  },
  ko: {
    code: '2단계 인증 코드', codeHint: '인증 앱에 보이는 숫자 여섯 자리나 복구 코드를 입력하십시오.',
    problems: {
      'wrong-code': '코드가 틀렸거나 이미 썼거나 시간이 지났습니다. 다음 코드를 기다리십시오.',
      'second-factor-unreadable': '2단계 인증을 확인할 수 없습니다. 복구 코드를 입력하거나 운영자에게 꺼 달라고 하십시오.',
    },
  },
};
