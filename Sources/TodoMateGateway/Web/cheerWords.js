// What the page says of those who reacted, in English and Korean.
import { teach } from './words.js';

export const cheerWords = {
  en: {
    whoReacted: 'Who reacted to “{content}”', moreReacted: ({ count }) => `and ${count} more`, nobodyReacted: 'Nobody has reacted.',
  },
  ko: { whoReacted: '“{content}”에 반응한 사람', moreReacted: '그 밖에 {count}명', nobodyReacted: '아직 반응이 없습니다.' },
};

teach(cheerWords);
