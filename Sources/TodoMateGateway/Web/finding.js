// What the search and the list of keys say, in English and Korean.
import { teach } from './words.js';

export const findingWords = {
  en: {
    searchTitle: 'Search', searchHint: 'Words in todos and notes, yours and those you may see', searchStatus: 'Status', anyStatus: 'Any status',
    anyGoal: 'Any goal', withoutGoal: 'Without a goal', searchFrom: 'From', searchTo: 'To', searchBackwards: 'The first day is after the last.',
    found: ({ count, most }) => (count > most ? `The first ${most} of ${count}` : count === 1 ? 'One todo' : `${count} todos`), foundNothing: 'Nothing is like that.',
    keysTitle: 'Keys',
    keysGlobal: [['n', 'Write a new todo'], ['Esc', 'Leave the field'], ['/', 'Search'], ['y', 'Write the note of the day'], ['t', 'Today'], ['w', 'My week'], ['Ctrl Z', 'Undo the last change'], ['Ctrl Shift Z', 'Redo what was undone'], ['?', 'These keys']],
    keysList: [
      ['↑ ↓', 'Through the list'], ['← →', 'To the next list'], ['Enter', 'Edit'], ['Space', 'Finish, or open again'], ['i', 'In progress'],
      ['x', 'Not done'], ['m', 'Menu'], ['Alt ↑ ↓', 'Reorder'], ['Alt ← →', 'To the day before or after'], ['Delete', 'Delete'],
    ],
    keysAnywhere: 'Anywhere', keysInList: 'In a list',
  },
  ko: {
    searchTitle: '검색', searchHint: '내 할 일과 볼 수 있는 할 일, 메모에서 찾습니다', searchStatus: '상태', anyStatus: '모든 상태',
    anyGoal: '모든 목표', withoutGoal: '목표 없음', searchFrom: '시작일', searchTo: '종료일', searchBackwards: '시작일이 종료일보다 늦습니다.',
    found: ({ count, most }) => (count > most ? `${count}개 중 처음 ${most}개` : `할 일 ${count}개`), foundNothing: '조건에 맞는 할 일이 없습니다.',
    keysTitle: '단축키',
    keysGlobal: [['n', '새 할 일 쓰기'], ['Esc', '입력란에서 나가기'], ['/', '검색'], ['y', '일기 쓰기'], ['t', '오늘로'], ['w', '나의 한 주'], ['Ctrl Z', '마지막 변경 되돌리기'], ['Ctrl Shift Z', '되돌린 것을 다시 하기'], ['?', '단축키 보기']],
    keysList: [
      ['↑ ↓', '목록 안에서 이동'], ['← →', '옆 목록으로'], ['Enter', '편집'], ['Space', '완료, 다시 할 일로'], ['i', '진행 중'],
      ['x', '미완료'], ['m', '메뉴'], ['Alt ↑ ↓', '순서 바꾸기'], ['Alt ← →', '전날·다음 날로'], ['Delete', '삭제'],
    ],
    keysAnywhere: '어디서나', keysInList: '목록에서',
  },
};

teach(findingWords);
