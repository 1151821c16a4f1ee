// What the page says of goals where they are made and changed, in English and Korean.
import { teach } from './words.js';

export const goalWords = {
  en: {
    goalNote: 'What your todos are for. A new todo of a goal is seen by those whom the goal says.',
    goalName: 'Name', goalColor: 'Colour', goalVisibility: 'Who sees new ones', newGoal: 'New goal', makeGoal: 'Make goal',
    archiveGoal: 'Archive', unarchiveGoal: 'Use again', isArchived: 'archived', goalSaved: 'Saved.', noGoals: 'There are no goals yet.',
    spreadGoal: 'Give all its todos this visibility', goalsLeft: ({ count }) => `(${count} left)`,
    removeGoal: 'Remove', reallyRemoveGoal: 'Remove it', goalRemoved: ({ count }) => `“{name}” removed. ${count === 1 ? 'One todo is' : `${count} todos are`} for nothing now.`,
    removeGoalNote: ({ count }) => (count ? `Its todos stay (${count}), seen by the same people, but for no goal. This cannot be undone.` : 'This cannot be undone.'),
    spreadDone: ({ count, broken }) => (count === 1 ? 'One todo changed.' : `${count} todos changed.`)
      + (broken ? ` ${broken} cannot be read and stay as they are.` : ''),
    color_red: 'Red', color_orange: 'Orange', color_yellow: 'Yellow', color_green: 'Green', color_teal: 'Teal', color_blue: 'Blue',
    color_indigo: 'Indigo', color_purple: 'Purple', color_pink: 'Pink', color_gray: 'Gray', goalNamed: '{words}: {name}',
    tooManyGoals: 'There is no room for another goal: remove one first.', goalMissing: 'Type a name.',
  },
  ko: {
    goalNote: '할 일을 묶는 목표입니다. 목표에 새로 넣은 할 일은 목표에 정한 대로 공개됩니다.',
    goalName: '이름', goalColor: '색', goalVisibility: '새 할 일 공개 범위', newGoal: '새 목표', makeGoal: '목표 만들기',
    archiveGoal: '보관', unarchiveGoal: '다시 쓰기', isArchived: '보관됨', goalSaved: '저장했습니다.', noGoals: '아직 목표가 없습니다.',
    spreadGoal: '이미 있는 할 일의 공개 범위도 바꾸기', goalsLeft: ({ count }) => `(${count}개 남음)`,
    removeGoal: '삭제', reallyRemoveGoal: '목표 삭제', goalRemoved: ({ count }) => `“{name}” 목표를 삭제했습니다. 할 일 ${count}개는 목표 없이 남습니다.`,
    removeGoalNote: ({ count }) => (count ? `할 일 ${count}개는 공개 범위 그대로 목표 없이 남습니다. 되돌릴 수 없습니다.` : '되돌릴 수 없습니다.'),
    spreadDone: ({ count, broken }) => `할 일 ${count}개를 바꾸었습니다.`
      + (broken ? ` 읽을 수 없는 ${broken}개는 그대로 있습니다.` : ''),
    color_red: '빨강', color_orange: '주황', color_yellow: '노랑', color_green: '초록', color_teal: '청록', color_blue: '파랑',
    color_indigo: '남색', color_purple: '보라', color_pink: '분홍', color_gray: '회색', goalNamed: '{words}: {name}',
    tooManyGoals: '목표를 더 만들 자리가 없습니다. 먼저 하나를 삭제하십시오.', goalMissing: '이름을 입력하십시오.',
  },
};

teach(goalWords);
