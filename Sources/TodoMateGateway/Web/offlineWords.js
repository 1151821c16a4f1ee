// What the page says of what it keeps on the device, in English and Korean.
import { teach } from './words.js';

export const english = {
  seenAt: 'as of {time}',
  problems: { 'too-much-waits': 'Too much waits to be sent or decided. See to that first.' },
  notKept: 'This browser keeps nothing at the moment. Leave this page open until all is saved.',
  waitingFor: ({ count, name }) => `${count === 1 ? 'One change' : `${count} changes`} of ${name} could not be sent. Sign in as ${name} to send them.`,
};

export const korean = {
  seenAt: '{time} 기준',
  problems: { 'too-much-waits': '보내지 못했거나 결정하지 않은 변경이 너무 많습니다. 먼저 처리하십시오.' },
  notKept: '지금 이 브라우저에는 아무것도 보관되지 않습니다. 모두 저장될 때까지 이 페이지를 열어 두십시오.',
  waitingFor: ({ count, name }) => `${name} 님의 변경 ${count}개를 보내지 못했습니다. ${name} 님으로 로그인하면 보냅니다.`,
};

teach({ en: english, ko: korean });
