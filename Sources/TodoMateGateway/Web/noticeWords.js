// What the page says of sign-ins and tokens that were made elsewhere, in English and Korean.
import { teach } from './words.js';

export const english = {
  signedInElsewhere: 'Someone signed in as you: {place}.', tokenElsewhere: 'A token was made for your account, “{name}”: {place}.',
  notMe: 'Not you? End it', endedElsewhere: 'Ended. Change your password if it was not you.',
};

export const korean = {
  signedInElsewhere: '다른 곳에서 로그인했습니다: {place}.', tokenElsewhere: '계정에 토큰 ‘{name}’이(가) 만들어졌습니다: {place}.',
  notMe: '본인이 아니면 종료', endedElsewhere: '종료했습니다. 본인이 아니었다면 비밀번호를 바꾸십시오.',
};

teach({ en: english, ko: korean });
