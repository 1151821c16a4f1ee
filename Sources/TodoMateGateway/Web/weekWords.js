// What the page says of a week, in English and Korean.
import { teach } from './words.js';

export const weekWords = {
  en: {
    weekTitle: 'The last seven days', weekDay: 'Day', weekFinished: 'Finished',
    weekSum: ({ count }) => `${count} finished`, nothingFinished: 'What you finish will show here.',
    streak: ({ days }) => `Something finished ${days} days in a row`, streakYear: 'Something finished each day for a year',
  },
  ko: {
    weekTitle: '지난 7일', weekDay: '날짜', weekFinished: '완료',
    weekSum: '{count}개 완료', nothingFinished: '완료한 일이 여기에 보입니다.',
    streak: '{days}일 연속 완료', streakYear: '1년 넘게 매일 완료',
  },
};

teach(weekWords);
