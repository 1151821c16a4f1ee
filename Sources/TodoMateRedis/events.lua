-- What happened to an account: its last hundred events, for its owner.
--
--   todomate:{uid}:events  stream  id = when, in milliseconds; field `event` -> {"kind":"sign-in","session":…,"from":…,…}

local noteEvent, noteRefusal

;(function()

local EVENTS_MOST = '100'

-- Notes an event; `labels` is the rest of its JSON. What happened is not undone where that cannot be noted.
function noteEvent(key, kind, labels)
  attempt('XADD', key .. ':events', 'MAXLEN', EVENTS_MOST, '*', 'event', '{"kind":"' .. kind .. '"' .. (labels or '') .. '}')
end

-- Notes what strangers bring about: the last `most` of its kind stay, so that however long one tries, there is room for what
-- else happened. Answers 0 and notes nothing where the last one is later than `since`, in milliseconds; else 1.
function noteRefusal(key, kind, labels, most, since)
  local head, ids = '{"kind":"' .. kind .. '"', {}
  for _, entry in ipairs(attempt('XREVRANGE', key .. ':events', '+', '-')) do
    if (entry[2][2] or ''):sub(1, #head) == head then ids[#ids + 1] = entry[1] end
  end
  if since and ids[1] and tonumber((ids[1]:match('^%d+'))) > since then return 0 end
  for index = most, #ids do attempt('XDEL', key .. ':events', ids[index]) end
  noteEvent(key, kind, labels)
  return 1
end

--[[
  todomate_account_events: reads what happened to an account, the latest in front.

  KEYS[1]  todomate:{uid}; reads :events
  answer   [{"at":<milliseconds since 1970>,"kind":…,…},…]
]]
local function events(key)
  local entries = {}
  for _, entry in ipairs(call('XREVRANGE', key .. ':events', '+', '-')) do
    local rest = entry[2][1] == 'event' and entry[2][2]:match('^{("kind":".*})$')
    if rest then entries[#entries + 1] = '{"at":' .. entry[1]:match('^%d+') .. ',' .. rest end
  end
  return '[' .. table.concat(entries, ',') .. ']'
end

register('todomate_account_events', '', 0, 0, {'no-writes'}, events)

end)()
