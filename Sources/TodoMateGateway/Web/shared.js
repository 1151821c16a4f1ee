// What the parts that come later share with the beginning of the page: each of them names it, so that it is one part for all.
// (The packer makes a part for each set of those that share something.)
import './api.js';
import './audiences.js';
import './dates.js';
import './device.js';
import './joined.js';
import './later.js';
import './lines.js';
import './madeDays.js';
import './names.js';
import './notes.js';
import './order.js';
import './person.js';
import './popup.js';
import './row.js';
import './rows.js';
import './stream.js';
import './versions.js';
import './weekDays.js';
import './words.js';
