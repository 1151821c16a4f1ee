-- What an export has of the people around a user's todos, read in again.
--
-- A line says what one key of one user holds of one other user. Both sides of a pair come as lines of their own, in any
-- order; pairs are marked until both have met, which is for the caller to see to once all lines are in.

;(function()

local LINK_FIELDS = {
  following = {'at', 'state', 'position'}, followers = {'at'}, requests = {'at'}, blocked = {'at'},
  reactions = {'todo', 'emoji'},
}

-- A misspelt name must not look like success.
local function checkLinkFields(line)
  local allowed = {uid = true, with = true, list = true}
  for _, field in ipairs(LINK_FIELDS[line.list]) do allowed[field] = true end
  for field in pairs(line) do
    if not allowed[field] then
      fail('INVALID', 'a line of ' .. line.list .. ' has no field ' .. field:gsub('[^%w_-]', '?'):sub(1, 40))
    end
  end
end

-- Makes one side of a pair what a line says; answers with what that was.
local function restorePair(key, uid, line, mode)
  checkMicros('at', line.at)
  local isWish, isBlock = line.list == 'following', line.list == 'blocked'
  local isGrant = not isWish and not isBlock
  if isWish then
    if not WISHES[line.state] or line.state == 'none' then
      fail('INVALID', 'state must be pending, requested or following')
    end
    checkPosition(line.position)
  end
  local other, set = line.with, key .. ':' .. line.list
  local relation = relationOf(key, other)
  local stored = call(isWish and 'HGET' or 'ZSCORE', set, other)
  local value = isWish and line.state .. ' ' .. digits(line.at) .. ' ' .. digits(line.position) or digits(line.at)
  if stored and (stored == value or not isWish and tonumber(stored) == line.at) then return 'unchanged' end
  local hasGrant, hasWish = relation.follower ~= 'none', relation.following ~= 'none'
  local hasOther = isGrant and hasGrant or isBlock and (hasGrant or hasWish) or not isBlock and relation.isBlocked
  if mode == 'add' and (stored or hasOther) then
    fail('EXISTS', 'something else is between ' .. uid .. ' and ' .. other .. ' already')
  end
  if isWish and not stored then checkRoomForWish(key, uid) end
  if line.list == 'followers' then checkRoomForFollower(key, uid) end
  if isBlock and not stored then checkRoomForBlocked(key, uid) end
  relation.isBlocked = isBlock
  if isBlock then relation.following, relation.follower = 'none', 'none' end
  if isWish then relation.following = line.state end
  if isGrant then relation.follower = line.list == 'followers' and 'following' or 'requested' end
  commitRelation(key, uid, other, relation)
  if isBlock then call('HDEL', key .. ':following', other) else call('ZREM', key .. ':blocked', other) end
  if not isWish then withdraw(key, other) end
  if isWish then call('HSET', set, other, value) else call('ZADD', set, value, other) end
  unsettle(key, other, relation.refused, relation.taken)
  return stored and 'replaced' or 'added'
end

-- Puts a reaction back, whoever may see the todo now.
local function restoreReaction(key, uid, line, mode)
  checkID(line.todo)
  local emoji = checkedEmoji('a reaction', line.emoji)
  local todo, text = storedTodo(key, uid, line.todo)
  if not todo then failNotFound(uid, line.todo) end
  local before = call('HGET', key .. ':reactions:' .. line.todo, line.with) or ''
  if before == emoji then return 'unchanged' end
  if mode == 'add' and before ~= '' then
    fail('EXISTS', line.with .. ' has another reaction to ' .. line.todo .. ' already')
  end
  storeReaction(key, uid, todo, text, line.with, before, emoji)
  return before == '' and 'added' or 'replaced'
end

--[[
  todomate_restore: writes relations and reactions of an export.

  KEYS[1]  todomate:{uid}; writes :following :followers :requests :blocked :unsettled :todos :reactions:<id> :log :feed
  args[1]  `add`, or `replace` to overwrite what is there instead
  args[2…] lines as JSON: uid, with, list, and `at`, `state` and `position`, or `todo` and `emoji`
  answer   for each line `added`, `replaced` or `unchanged`, or its error
  errors   USAGE; for each line INVALID, NOT_FOUND, EXISTS, FULL
]]
local function restore(key, uid, args)
  local mode = args[1]
  checkMode(mode)

  local function restoreOne(text)
    local line = decodedArgument(text)
    if line.uid ~= uid then fail('INVALID', 'uid must be ' .. uid .. ' as in the key') end
    checkUID(line.with)
    if not LINK_FIELDS[line.list] then
      fail('INVALID', 'list must be following, followers, requests, blocked or reactions')
    end
    checkLinkFields(line)
    if line.list == 'reactions' then return restoreReaction(key, uid, line, mode) end
    checkOther(uid, line.with)
    return restorePair(key, uid, line, mode)
  end

  return answerEach(key, args, 2, restoreOne)
end

register('todomate_restore', ' <add or replace> <json> [<json> ...]', 2, 1001, {}, restore)

end)()
