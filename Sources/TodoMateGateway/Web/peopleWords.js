// What the page says of following, letting follow and blocking, in English and Korean.
import { teach } from './words.js';

export const peopleWords = {
  en: {
    unfollow: 'Unfollow', takeBack: 'Withdraw', followBack: 'Follow back', cameNow: '{name} follows you now.', acceptedNow: '{name} has accepted: you follow them now.', accept: 'Accept',
    refuse: 'Refuse', removeFollower: 'Remove as follower', unblock: 'Unblock', yourself: 'That is you.',
    alreadyFollowed: 'You already follow {name}, or have asked to.', followsTooMany: 'You cannot follow any more people.',
    tooMany: 'The board shows the first {count}.',
    notAllBack: '{name} is unblocked, but not all that was between you came back. Ask again, or let them ask.',
    askedMaybe: 'Asked {name}, if there is an account of exactly that name. Their list opens once they accept.',
    unfollowDone: 'You no longer follow {name}.', blockDone: '{name} is blocked; neither follows the other any more.',
    removeAsk: 'Remove {name} as a follower? Only they can undo that, by asking again.',
    refuseAsk: 'Refuse the request of {name}? Only they can undo that, by asking again.',
    askedAgain: '{name} has to accept again: you have asked, and follow once they do.',
    roomFull: 'The storage is nearly full: delete todos that you no longer need, or shorten long notes.',
  },
  ko: {
    unfollow: '언팔로우', takeBack: '요청 취소', followBack: '맞팔로우', cameNow: '이제 {name} 님이 나를 팔로우합니다.', acceptedNow: '{name} 님이 요청을 수락했습니다.', accept: '수락', refuse: '거절',
    removeFollower: '팔로워에서 삭제', unblock: '차단 해제', yourself: '본인입니다.', alreadyFollowed: '{name} 님은 이미 팔로우했거나 요청했습니다.',
    followsTooMany: '더는 팔로우할 수 없습니다.', tooMany: '보드에는 앞에서부터 {count}명만 보입니다.',
    notAllBack: '{name} 님의 차단을 풀었지만 예전 관계가 모두 돌아오지는 않았습니다. 다시 요청하거나 상대의 요청을 기다리십시오.',
    askedMaybe: '대소문자까지 같은 계정이 있으면 {name} 님에게 요청이 갔습니다. 수락하면 목록이 열립니다.', unfollowDone: '{name} 님을 언팔로우했습니다.',
    removeAsk: '{name} 님을 팔로워에서 삭제하시겠습니까? 되돌리려면 상대가 다시 요청해야 합니다.',
    refuseAsk: '{name} 님의 요청을 거절하시겠습니까? 되돌리려면 상대가 다시 요청해야 합니다.',
    askedAgain: '{name} 님에게 다시 요청했습니다. 수락해야 다시 팔로우합니다.',
    blockDone: '{name} 님을 차단했습니다. 서로의 팔로우도 끝났습니다.', roomFull: '저장 공간이 거의 찼습니다. 필요 없는 할 일을 지우거나 긴 메모를 줄이십시오.',
  },
};
teach(peopleWords);
