-- What an export has of the people around a user's todos, read in again.
--
-- A line says what one key of one user holds of one other user. Both sides of a pair come as lines of their own, in any
-- order; pairs are marked until both have met, which is for the caller to see to once all lines are in.

-- A function of its own, as one may have 200 local names; what only this file uses is none of the library's.
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

local RESTORED = {
  following = function(line)
    if not WISHES[line.state] or line.state == 'none' then
      fail('INVALID', 'state must be pending, requested or following')
    end
    checkPosition(line.position)
  end,
  followers = function() end,
  requests = function() end,
  blocked = function() end,
}

-- Makes one side of a pair what a line says; answers with what that was.
local function restorePair(key, uid, line, mode)
  checkMicros('at', line.at)
  RESTORED[line.list](line)
  local other = line.with
  local relation = relationOf(key, other)
  local set = key .. ':' .. line.list
  local isWish = line.list == 'following'
  local stored = isWish and call('HGET', set, other) or not isWish and call('ZSCORE', set, other)
  local value = isWish and line.state .. ' ' .. digits(line.at) .. ' ' .. digits(line.position) or digits(line.at)
  if stored and (stored == value or not isWish and tonumber(stored) == line.at) then return 'unchanged' end
  local isGrant = line.list == 'followers' or line.list == 'requests'
  local hasOther = isGrant and relation.follower ~= 'none' or not isGrant and not isWish and
    (relation.follower ~= 'none' or relation.following ~= 'none') or line.list ~= 'blocked' and relation.isBlocked
  if mode == 'add' and (stored or hasOther) then
    fail('EXISTS', 'something else is between ' .. uid .. ' and ' .. other .. ' already')
  end
  if isWish and not stored and call('HLEN', set) >= FOLLOWING_MOST then
    fail('FULL', uid .. ' follows ' .. FOLLOWING_MOST .. ' users already: unfollow somebody first')
  end
  if line.list == 'followers' then checkRoomForFollower(key, uid) end
  if line.list == 'blocked' then
    if not stored then checkRoomForBlocked(key, uid) end
    relation.following, relation.follower, relation.isBlocked = 'none', 'none', true
  else
    relation.isBlocked = false
    if isWish then relation.following = line.state end
    if isGrant then relation.follower = line.list == 'followers' and 'following' or 'requested' end
  end
  announceRelation(key, uid, other, relation)
  if line.list == 'blocked' then call('HDEL', key .. ':following', other) else call('ZREM', key .. ':blocked', other) end
  if not isWish then withdraw(key, other) end
  if isWish then call('HSET', set, other, value) else call('ZADD', set, value, other) end
  unsettle(key, other, relation.refused, relation.taken)
  return stored and 'replaced' or 'added'
end

-- Puts a reaction back, whoever may see the todo now.
local function restoreReaction(key, uid, line, mode)
  checkID(line.todo)
  local emoji = checkedEmoji(line.emoji)
  local todo, text = storedTodo(key, uid, line.todo)
  if not todo then fail('NOT_FOUND', uid .. ' has no todo with the id ' .. line.todo) end
  local before = call('HGET', key .. ':reactions:' .. line.todo, line.with) or ''
  if before == emoji then return 'unchanged' end
  if mode == 'add' and before ~= '' then
    fail('EXISTS', line.with .. ' has another reaction to ' .. line.todo .. ' already')
  end
  storeReaction(key, uid, todo, text, line.with, before, emoji)
  return before == '' and 'added' or 'replaced'
end

-- Many at a time; each one is answered for by itself.
local function restore(key, uid, args)
  local mode = args[1]
  if mode ~= 'add' and mode ~= 'replace' then fail('USAGE', 'the first argument must be add or replace') end

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

  return answersOneByOne(key, args, 2, restoreOne)
end

register('todomate_restore', ' <add or replace> <json> [<json> ...]', 2, 1001, {}, restore)

end)()
