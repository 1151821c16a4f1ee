// What the composer says of what it reads, in English and Korean.
import { teach } from './words.js';

export const quickWords = {
  en: {
    readHere: 'Read from what you typed', readAs: '“{words}” means {meaning}.', keepAsText: 'Keep it as text',
    offerGoal: 'Make the goal “{name}”',
    addedSeveral: '{count} todos added',
    addedElsewhere: ({ count, elsewhere }) => `${count} todos added, ${elsewhere} of them on ${elsewhere === 1 ? 'another day' : 'other days'}`,
  },
  ko: {
    readHere: '입력한 내용에서 읽은 것', readAs: '“{words}”: {meaning}.', keepAsText: '글로 두기', offerGoal: '목표 “{name}” 만들기',
    addedSeveral: '할 일 {count}개 추가', addedElsewhere: '할 일 {count}개 추가, 그중 {elsewhere}개는 다른 날',
  },
};

teach(quickWords);
