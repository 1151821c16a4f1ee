// What the composer says of what it reads, in English and Korean.
import { teach } from './words.js';

export const quickWords = {
  en: {
    readHere: 'Read from what you typed', readAs: '“{words}” means {meaning}.', keepAsText: 'Keep it as text',
    addedElsewhere: ({ count }) => (count === 1 ? 'One of them is on another day.' : `${count} of them are on other days.`),
  },
  ko: {
    readHere: '입력한 내용에서 읽은 것', readAs: '“{words}”: {meaning}.', keepAsText: '글로 두기',
    addedElsewhere: '그중 {count}개는 다른 날에 추가되었습니다.',
  },
};

teach(quickWords);
