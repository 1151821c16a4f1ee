// What the page says of what became of todos, in English and Korean.
import { teach } from './words.js';

export const pastWords = {
  en: {
    historyOf: 'What became of “{content}”', removedTitle: 'Deleted todos',
    was_added: 'Added', was_modified: 'Changed', was_removed: 'Deleted', was_back: 'Brought back',
    fromTo: '{from} → {to}', noteGone: 'Note taken away',
    noTime: 'no time', goalChanged: 'Another goal', goalGone: 'No goal any more', moved_place: 'Moved in its list', reactionsChanged: 'Reactions', unknownBefore: 'what it was before is not known', writtenAgain: 'Written again as it was',
    bringBack: 'Bring back', bringBackLabel: 'Bring “{content}” back as of {time}', lookBack: 'Changes', lookBackLabel: 'What became of “{content}”',
    isNow: 'as it is now', broughtBack: '“{content}” is back as it was.', changedSince: '“{content}” has changed since, and stays as it is. Look at its changes once more.',
    nothingRemoved: 'Nothing was deleted.', nothingKnown: 'Nothing is known of its changes.', olderGone: 'Older changes are not known any more.',
    reach_whole: ({ time }) => (time ? `That is everything, from the first change on ${time}.` : 'That is everything.'),
    reach_trimmed: ({ time }) => `Only your last 1,000 changes or so are kept: nothing is known from before ${time}.`,
    reach_lost: ({ time }) => (time ? `The log was lost: nothing is known from before ${time}.` : 'The log was lost: nothing is known.'),
  },
  ko: {
    historyOf: '“{content}”의 변경 기록', removedTitle: '삭제한 할 일',
    was_added: '추가', was_modified: '변경', was_removed: '삭제', was_back: '되살림',
    fromTo: '{from} → {to}', noteGone: '메모 삭제',
    noTime: '시각 없음', goalChanged: '목표 변경', goalGone: '목표 없음', moved_place: '순서 변경', reactionsChanged: '반응', unknownBefore: '그 전의 모습은 알 수 없습니다', writtenAgain: '같은 내용으로 다시 저장',
    bringBack: '되살리기', bringBackLabel: '“{content}”: {time}의 모습으로 되살리기', lookBack: '변경 기록', lookBackLabel: '“{content}”의 변경 기록',
    isNow: '지금 모습', broughtBack: '“{content}”: 그때대로 되살렸습니다.', changedSince: '“{content}”: 그사이 바뀌어 그대로 두었습니다. 변경 기록을 다시 여십시오.',
    nothingRemoved: '삭제한 할 일이 없습니다.', nothingKnown: '알려진 변경이 없습니다.', olderGone: '더 오래된 변경은 이제 알 수 없습니다.',
    reach_whole: ({ time }) => (time ? `첫 변경(${time})부터의 기록 전부입니다.` : '기록 전부입니다.'),
    reach_trimmed: ({ time }) => `마지막 변경 1,000개쯤만 보관합니다. ${time} 이전은 알 수 없습니다.`,
    reach_lost: ({ time }) => (time ? `기록이 사라져 ${time} 이전은 알 수 없습니다.` : '기록이 사라졌습니다.'),
  },
};

teach(pastWords);
