// What the page says of routines, in English and Korean.
import { teach } from './words.js';

const ordinal = (day) => `${day}${{ 1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd', 31: 'st' }[day] ?? 'th'}`;

export const routineWords = {
  en: {
    skipDay: 'Skip this day', changeFromHere: 'Change all from here …', endRoutine: 'End routine from here',
    skipped: '“{content}” skipped on {day}', routineEnded: '“{content}” ends before {day}', routineChanged: '“{content}” from {day} on',
    routineAdded: '“{content}”: {rule}', firstOn: 'first on {day}', everyWeekday: 'every weekday', everyWeekend: 'every weekend',
    every_DAILY: ({ interval }) => (interval > 1 ? `every ${interval} days` : 'every day'),
    every_WEEKLY: ({ interval, on }) => (interval > 1 ? `every ${interval} weeks${on ? ` on ${on}` : ''}` : `every ${on || 'week'}`),
    every_MONTHLY: ({ interval, day }) => `every ${interval > 1 ? `${interval} months` : 'month'}${day === -1 ? ' on the last day'
      : day ? ` on the ${ordinal(day)}` : ''}`,
    untilDay: 'until {day}', soOften: ({ count }) => (count === 1 ? 'once' : `${count} times`),
    routineFrom: 'From {day} on', routineContent: 'What to do', routineDays: 'How often', routineTime: 'Time',
    routineDaysHint: 'Such as: every day, every mon and fri, every 15th, every 2 weeks until Dec 31, every month 10 times',
    routineDaysNotRead: 'This says no days: write, for example, “every weekday”.', routineSave: 'Change', routineMissing: 'Type what to do.',
    routineNote: 'What you have done or changed already stays as it is.',
    routineUsual: 'As of new todos', tooManyRoutines: 'There is no room for another routine: end one first.',
    routinesNeedServer: 'Routines, unlike todos, are made by the server, and it does not answer. Try again later.',
    noRoutines: 'Nothing repeats yet. Add a todo such as “water the plants every friday”, or choose “Repeat …” in a todo’s menu.',
    nextOn: 'next on {day}', noneAhead: 'no more days', routineEdit: 'Change …', routineEditLabel: 'Change “{content}”', routineEnd: 'End', routineEndLabel: 'End “{content}”',
    repeatTitle: 'Repeat', repeatNote: 'This todo is the first of them.', repeatSave: 'Repeat',
  },
  ko: {
    skipDay: '이 날은 건너뛰기', changeFromHere: '이후 모두 바꾸기 …', endRoutine: '여기서 루틴 끝내기',
    skipped: '{day} “{content}” 건너뜀', routineEnded: '“{content}” {day} 전에 끝남', routineChanged: '{day}부터 “{content}”',
    routineAdded: '“{content}”: {rule}', firstOn: '첫날 {day}', everyWeekday: '평일마다', everyWeekend: '주말마다',
    every_DAILY: ({ interval }) => (interval > 1 ? `${interval}일마다` : '매일'),
    every_WEEKLY: ({ interval, on }) => [interval > 1 ? `${interval}주마다` : '매주', on].filter(Boolean).join(' '),
    every_MONTHLY: ({ interval, day }) => [interval > 1 ? `${interval}개월마다` : '매월', day === -1 ? '말일' : day ? `${day}일` : '']
      .filter(Boolean).join(' '),
    untilDay: '{day}까지', soOften: ({ count }) => `${count}번`,
    routineFrom: '{day}부터', routineContent: '할 일', routineDays: '반복', routineTime: '시각',
    routineDaysHint: '예: 매일, 매주 월수금, 매월 15일, 2주마다 12월 31일까지, 매월 10번',
    routineDaysNotRead: '반복하는 날을 알 수 없습니다. 예를 들어 “평일마다”라고 쓰십시오.', routineSave: '바꾸기', routineMissing: '할 일을 입력하십시오.',
    routineNote: '이미 했거나 바꾼 것은 그대로 남습니다.',
    routineUsual: '새 할 일과 같이', tooManyRoutines: '루틴을 더 담을 자리가 없습니다. 먼저 하나를 끝내십시오.',
    routinesNeedServer: '루틴은 할 일과 달리 서버가 만드는데, 서버가 응답하지 않습니다. 나중에 다시 시도하십시오.',
    noRoutines: '반복하는 할 일이 없습니다. “매주 금요일 화분에 물 주기”처럼 추가하거나 할 일의 메뉴에서 “반복 …”을 고르십시오.',
    nextOn: '다음 날짜 {day}', noneAhead: '남은 날 없음', routineEdit: '바꾸기 …', routineEditLabel: '“{content}” 바꾸기', routineEnd: '끝내기', routineEndLabel: '“{content}” 끝내기',
    repeatTitle: '반복', repeatNote: '이 할 일부터 반복합니다.', repeatSave: '반복하기',
  },
};

teach(routineWords);
