// What the page says of mail, in English and Korean: fetched where the server sends some.
import { teach } from './words.js';

export const english = {
  forgotten: 'I forgot my password', forgottenName: 'Type the name of your account, and press it again.',
  forgottenDone: 'If the account {name} has a confirmed mail address, a link for a new password is on its way there. It is good for an hour.',
  settings_mail: 'Mail', mailAddress: 'Mail address', mailNone: 'With a mail address you can set a new password when you have forgotten yours. Nobody else sees it.',
  mailIs: 'Mail goes to {address}. Nobody else sees that.', mailPending: 'A link was sent to {address}. Open it until {time} to confirm the address.',
  saveMail: 'Send a link there', removeMail: 'Take the address away', mailRemoved: 'There is no mail address any more.', mailSent: 'Sent. Open the link in that mail.',
  wrongMail: 'A mail address looks like alice@example.org.', foreignMail: 'Before the @ there can only be the letters a to z, digits and signs.',
  mailTitle: 'Is this your mail address?', mailHint: 'Mail for {name} goes to the address where you found this link, once you say so.',
  confirmMail: 'Yes, it is mine', cancelMail: 'No', mailConfirmed: 'Mail for {name} goes to {address} from now on.',
  mailOver: 'This link is not valid any more. Have another one sent.',
  'event_mail-changed': 'Mail address confirmed', 'event_mail-removed': 'Mail address taken away',
};

export const korean = {
  forgotten: '비밀번호를 잊었습니다', forgottenName: '계정 이름을 입력하고 다시 누르십시오.',
  forgottenDone: '{name} 계정에 확인된 메일 주소가 있으면 새 비밀번호를 정할 링크를 그 주소로 보냅니다. 링크는 한 시간 동안 쓸 수 있습니다.',
  settings_mail: '메일', mailAddress: '메일 주소', mailNone: '메일 주소가 있으면 비밀번호를 잊었을 때 새로 정할 수 있습니다. 다른 사람에게는 보이지 않습니다.',
  mailIs: '{address} 주소로 메일을 보냅니다. 다른 사람에게는 보이지 않습니다.', mailPending: '{address} 주소로 링크를 보냈습니다. {time}까지 열어 주소를 확인하십시오.',
  saveMail: '링크 보내기', removeMail: '주소 삭제', mailRemoved: '메일 주소를 삭제했습니다.', mailSent: '보냈습니다. 메일에 있는 링크를 여십시오.',
  wrongMail: '메일 주소는 alice@example.org와 같은 형식입니다.', foreignMail: '@ 앞에는 영문자, 숫자, 기호만 쓸 수 있습니다.',
  mailTitle: '본인의 메일 주소입니까?', mailHint: '확인하면 이 링크를 받은 주소로 {name} 계정의 메일을 보냅니다.',
  confirmMail: '예, 본인의 주소입니다', cancelMail: '아니요', mailConfirmed: '이제 {name} 계정의 메일을 {address} 주소로 보냅니다.',
  mailOver: '더는 쓸 수 없는 링크입니다. 새 링크를 보내십시오.',
  'event_mail-changed': '메일 주소 확인', 'event_mail-removed': '메일 주소 삭제',
};

teach({ en: english, ko: korean });
