-- Writes that may be said again: a client gives each an id, which is remembered with the answer in the same step as the write, so
-- that a repetition writes nothing and gets the first answer.
--
--   todomate:{uid}:operations  hash  the user's own: ' <id>' -> <place> <seconds> <fingerprint> <kind> <length> <answer><whole>
--   todomate:{uid}:visits      hash  others' reactions: '<person> <id>' -> the same without an answer
--
-- Both are queues as well: '#<place>' -> <seconds> <size> <name>, and `bounds` -> <first place> <next place> <bytes> <seconds of the
-- first>. A name has a space, so that it is never one of these. Each forgets the oldest that are too many, too large or too old
-- when it takes a new one, and is gone a day after its last one.
--
-- Only what was done is remembered: a refusal has changed nothing, and is looked at anew. What a function finds done already is
-- done, too: `unchanged` is remembered.

-- Runs a function under an operation id; also for hiding.lua. `wayOf(name)` answers what is to be run, with `least`, `most` and `body`.
local once

;(function()

local OPERATIONS_MOST = 1000
local OPERATION_SECONDS = 86400
local OPERATIONS_BYTES = 2097152
local ID_BYTES = 128
local WHOLE_BYTES = 262144
local OLD_AT_ONCE = 50          -- those that are too old, of which there may be many at once

-- The functions that may be run so, each with the number of words that tell one request from another; all where it is no number.
local REPEATABLE = {
  add = true, update = true, remove = true, import = true, settings = true, follow = true, unfollow = true, arrange = true,
  accept = true, dismiss = true, block = true, unblock = true, restore = true, set_goal = true, restore_goals = true,
  spread_goal = true, remove_goal = true, set_routines = true, skip_day = true, split_routine = true,
  set_note = true,
  -- What a person's own side lets them see may be another by then.
  react = 3,
}

local function failCorrupt(where)
  fail('CORRUPT', where .. ' was edited by hand: DEL it, and writes that are said again are done again')
end

local function checkOperation(id, print)
  if #id > ID_BYTES or not find(id, '^[ -~]+$') then
    fail('INVALID', 'an operation id must be 1 to ' .. ID_BYTES .. ' printable characters of ASCII, such as a UUID')
  end
  if print ~= '' and (#print > 64 or not find(print, '^[%w_-]+$')) then
    fail('INVALID', 'a fingerprint must be 1 to 64 of A-Z a-z 0-9 _ -, or empty for that of the words')
  end
end

-- The same for the same words alone.
local function fingerprintOf(name, words, count)
  local parts = {name}
  for index = 1, math.min(count, #words) do parts[#parts + 1] = #words[index] .. ':' .. words[index] end
  return redis.sha1hex(table.concat(parts, ' '))
end

-- A record that is still to be remembered at `now`: its fingerprint, the kind of its answer, the answer and the whole.
local function parsed(where, text, now)
  local at, print, kind, length, first = match(text, '^%d+ (%d+) (%S+) (%l) (%d+) ()')
  if not at then failCorrupt(where) end
  -- With the clock set back it is remembered for longer.
  if now - at >= OPERATION_SECONDS then return nil end
  return print, kind, text:sub(first, first + length - 1), text:sub(first + length)
end

local function checkSame(known, print, id)
  if known == print then return end
  fail('REUSED', 'the operation id ' .. id .. ' was used for another request within a day: use a new one for each')
end

-- The parts of `bounds`.
local function parsedBounds(where, text)
  local first, next, bytes, oldest = match(text or '1 1 0 0', '^(%d+) (%d+) (%d+) (%d+)$')
  if not first then failCorrupt(where) end
  return {first = first + 0, next = next + 0, bytes = bytes + 0, oldest = oldest + 0}
end

-- Forgets the oldest until there is room for so many bytes, and some that are too old. Never fails: the write was done.
local function makeRoom(where, bounds, size, now)
  local old, place, entry = 0, nil, nil
  while bounds.first < bounds.next do
    local isFull = bounds.next - bounds.first >= OPERATIONS_MOST or bounds.bytes + size > OPERATIONS_BYTES
    if not isFull and (old == OLD_AT_ONCE or now - bounds.oldest < OPERATION_SECONDS) then return end
    if not isFull then old = old + 1 end
    place = '#' .. wholeDigits(bounds.first)
    entry = entry or call('HGET', where, place) or ''
    local _, weight, name = match(entry, '^(%d+) (%d+) (.+)$')
    if name then
      bounds.bytes = math.max(0, bounds.bytes - weight)
      -- One that was too old may have been used again since.
      local isOf = match(call('HGET', where, name) or '', '^%d+') == place:sub(2)
      call('HDEL', where, place, isOf and name or place)
    end
    bounds.first = bounds.first + 1
    entry = bounds.first < bounds.next and call('HGET', where, '#' .. wholeDigits(bounds.first)) or ''
    bounds.oldest = (match(entry, '^%d+') or now) + 0
  end
end

local function encodedBounds(bounds)
  return wholeDigits(bounds.first) .. ' ' .. wholeDigits(bounds.next) .. ' ' .. wholeDigits(bounds.bytes) .. ' '
    .. wholeDigits(bounds.oldest)
end

local function remember(where, name, bounds, print, kind, answer, now)
  local place = wholeDigits(bounds.next)
  local moment = wholeDigits(now)
  local record = place .. ' ' .. moment .. ' ' .. print .. ' ' .. kind .. ' ' .. #answer .. ' ' .. answer
  local size = 2 * #name + #record
  makeRoom(where, bounds, size, now)
  if bounds.first == bounds.next then bounds.oldest = now end
  bounds.next, bounds.bytes = bounds.next + 1, bounds.bytes + size
  call('HSET', where, name, record, '#' .. place, moment .. ' ' .. size .. ' ' .. name, 'bounds', encodedBounds(bounds))
  call('EXPIRE', where, wholeDigits(OPERATION_SECONDS))
end

-- A reaction that a person has put already: the todo as they may see it now, which may be less than it was.
local function seenAgain(key, uid, words)
  local todo, text = storedTodo(key, uid, words[1])
  local access = limited(accessOf(key, uid, words[2]), words[4])
  if not todo or not maySee(access, todo.visibility or 'followers') then failNotFound(uid, words[1]) end
  return unchanged('todo', text)
end

function once(key, uid, args, wayOf)
  local id, print, name = args[1], args[2], args[3]
  local said, way = REPEATABLE[name], wayOf(name)
  local words = {unpack(args, 4)}
  if not said or not way or #words < way.least or #words > way.most then
    fail('USAGE', 'give an operation id, a fingerprint or an empty text, and a function that may be said again, such as add, with '
      .. 'what todomate_<that> is given')
  end
  checkOperation(id, print)
  if print == '' then print = fingerprintOf(name, words, said == true and #words or said) end
  local isVisit = name == 'react' and words[2] ~= uid
  local where = key .. (isVisit and ':visits' or ':operations')
  local field = (isVisit and words[2] or '') .. ' ' .. id
  local now = call('TIME')[1] + 0
  local stored, bounds = unpack(call('HMGET', where, field, 'bounds'))
  if stored then
    local known, kind, answer, whole = parsed(where, stored, now)
    if known then
      checkSame(known, print, id)
      if isVisit then return {1, seenAgain(key, uid, words), ''} end
      return {1, kind == 't' and cmsgpack.unpack(answer) or answer, whole}
    end
  end
  bounds = parsedBounds(where, bounds or nil)
  local answer = way.body(key, uid, words)
  local isTable = type(answer) == 'table'
  local kept = isVisit and '' or isTable and cmsgpack.pack(answer) or answer
  remember(where, field, bounds, print, isTable and 't' or 's', kept, now)
  return {0, answer, ''}
end

--[[
  todomate_once: runs a function under an operation id; a repetition within a day writes nothing and gets the first answer. Of a
  user's operations the last 1,000 are remembered, fewer where they take more than 2 MiB.

  KEYS[1]  todomate:{uid}; reads and writes what that function does, writes :operations, or :visits for another person's reaction
  args[1]  the operation id, 1 to 128 printable characters of ASCII
  args[2]  what tells this request from others, 1 to 64 of A-Z a-z 0-9 _ -; an empty text for the function and its words
  args[3]  the function without todomate_: add, update, remove, import, settings, react, follow, unfollow, arrange, accept, dismiss,
           block, unblock, restore, set_goal, restore_goals, spread_goal, remove_goal, set_routines, skip_day,
           split_routine or set_note
  args[4…] the arguments of that function
  answer   1 where it was done before, else 0; that function's answer; and what todomate_keep_answer has kept, or an empty text. Another
           person's reaction that was put before is answered as `unchanged`, with the todo as that person may see it now
  errors   USAGE, INVALID, REUSED, that function's
]]
local function runOnce(key, uid, args)
  return once(key, uid, args, wayOf)
end

--[[
  todomate_keep_answer: keeps what a caller has answered to an operation in the end, where that is more than the function's answer.

  KEYS[1]  todomate:{uid}; writes :operations
  args[1]  the operation id
  args[2]  the answer, up to 262,144 bytes
  answer   the answer that is kept: the first one
  errors   INVALID, NOT_FOUND
]]
local function keepAnswer(key, uid, args)
  local id, whole, where = args[1], args[2], key .. ':operations'
  checkOperation(id, '')
  if #whole == 0 or #whole > WHOLE_BYTES then fail('INVALID', 'an answer must have 1 to ' .. WHOLE_BYTES .. ' bytes') end
  local stored, bounds = unpack(call('HMGET', where, ' ' .. id, 'bounds'))
  local known, _, _, kept
  if stored then known, _, _, kept = parsed(where, stored, call('TIME')[1] + 0) end
  if not known then fail('NOT_FOUND', uid .. ' has done nothing under the operation id ' .. id .. ' within a day') end
  if kept ~= '' then return kept end
  bounds = parsedBounds(where, bounds or nil)
  local place = match(stored, '^%d+')
  local at, size = match(call('HGET', where, '#' .. place) or '', '^(%d+) (%d+) ')
  if not at then failCorrupt(where) end
  bounds.bytes = bounds.bytes + #whole
  call('HSET', where, ' ' .. id, stored .. whole, '#' .. place, at .. ' ' .. wholeDigits(size + #whole) .. '  ' .. id,
    'bounds', encodedBounds(bounds))
  return whole
end

register('todomate_once', ' <operation id> <fingerprint or nothing> <function> [<its words> ...]', 3, 1004, {}, runOnce)
register('todomate_keep_answer', ' <operation id> <answer>', 2, 2, {'allow-oom'}, keepAnswer)

end)()

