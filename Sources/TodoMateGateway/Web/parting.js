// What the ways out say, in English and Korean: fetched with them, as most people never take one.
import { teach } from './words.js';

export const english = {
  settings_archive: 'Take my data with me', archiveGet: 'Download the file', archiveTake: 'Take my data',
  archiveNote: 'A file with my todos, settings, followings and the reactions I got. “todomate import” reads it.',
  settings_deletion: 'Delete my account', deletionYes: 'Yes, delete my account', cancel: 'Cancel',
  deletionNote: 'All that you have goes: todos, followings, followers and reactions. At once others see you no more, and every other device and token is signed out.',
  deletionTime: 'For {time} you can sign in and keep the account, as it was. Then all of it is gone for good.',
  deletionAtOnce: 'All of it is gone for good at once.', deletionAsk: 'Delete the account of {name}?',
  farewellTitle: 'Your account will be deleted', farewellTime: 'On {time}. Until then others do not see you, and nothing can be changed.',
  keepAccount: 'Keep my account', accountKept: 'Your account is as it was.', farewellOver: 'The account is deleted.',
  farewellSignedOut: 'You are signed out here. Sign in to see how things stand with the account.',
  'event_deletion-begun': 'Account deleted, for now', 'event_deletion-withdrawn': 'Account kept',
};

export const korean = {
  settings_archive: '내 데이터 가져가기', archiveGet: '파일 내려받기', archiveTake: '내 데이터 가져가기',
  archiveNote: '할 일, 설정, 팔로우 관계와 받은 반응이 담긴 파일입니다. ‘todomate import’로 읽을 수 있습니다.',
  settings_deletion: '계정 삭제', deletionYes: '예, 계정을 삭제합니다', cancel: '취소',
  deletionNote: '할 일, 팔로잉, 팔로워, 반응이 모두 없어집니다. 다른 사람에게는 바로 보이지 않으며 다른 기기와 토큰은 모두 로그아웃됩니다.',
  deletionTime: '{time} 동안은 로그인해서 계정을 그대로 유지할 수 있습니다. 그 뒤에는 되돌릴 수 없습니다.',
  deletionAtOnce: '바로 모두 없어지며 되돌릴 수 없습니다.', deletionAsk: '{name} 님의 계정을 삭제하시겠습니까?',
  farewellTitle: '계정이 삭제될 예정입니다', farewellTime: '{time}에 삭제됩니다. 그때까지 다른 사람에게 보이지 않으며 아무것도 바꿀 수 없습니다.',
  keepAccount: '계정 유지', accountKept: '계정이 그대로 유지됩니다.', farewellOver: '계정이 삭제되었습니다.',
  farewellSignedOut: '여기서 로그아웃되었습니다. 다시 로그인하면 계정 상태를 볼 수 있습니다.',
  'event_deletion-begun': '계정 삭제 예약', 'event_deletion-withdrawn': '계정 유지',
};

teach({ en: english, ko: korean });
