-- Who follows whom, what users decide about themselves, and what one may see of another's todos.
--
--   todomate:{uid}:profile    hash        audience, visibility, feedSeen (and the password's hash)
--   todomate:{uid}:following  hash        whom this user follows -> "<state> <asked> <position>"
--   todomate:{uid}:followers  sorted set  who follows this user, scored by when they asked
--   todomate:{uid}:requests   sorted set  who asks to, scored by when
--   todomate:{uid}:blocked    sorted set  who may not, scored by when that was decided
--   todomate:{uid}:unsettled  hash        whose own side may not know yet -> the asking that was refused, or 0, and the own
--                                         one that was taken back, where there is one
--
-- A pair of users lives in two hash tags, so no step can write both sides. Each side's state is kept under its own user:
-- `following` is the follower's wish, `followers` and `requests` are what the other one grants. Whoever writes one side
-- marks the other user in `unsettled` in the same step; `pair` shows one side and `meet` hands it to the other, which
-- takes over what it must, until both agree and unmark each other. All of it can be repeated, reordered and cut off.

local FOLLOWING_MOST = 5000
local FOLLOWERS_MOST = 1000000
local BLOCKED_MOST = 10000
local PAGE_MOST = 1000
local AUDIENCES = {public = true, followers = true, private = true}

local function checkUID(other)
  if type(other) ~= 'string' or #other > 64 or not other:find('^[%w._@-]+$') then
    fail('INVALID', 'a user must be 1 to 64 of A-Z a-z 0-9 . _ @ -')
  end
end

local function checkOther(uid, other)
  checkUID(other)
  if other == uid then fail('INVALID', 'this needs two users: ' .. uid .. ' is both') end
end

-- Pairs

-- Whether this user follows another one, since when they asked, and the other one's place in the order.
local function wishOf(key, other)
  local wish = call('HGET', key .. ':following', other)
  if not wish then return 'none' end
  local following, asked, position = wish:match('^(%l+) (%d+) (%S+)$')
  if not following then fail('CORRUPT', key .. ':following was edited by hand: HDEL it ' .. other) end
  return following, asked, position
end

-- What one side knows of the pair.
local function relationOf(key, other)
  local following, asked, position = wishOf(key, other)
  local refused, taken = match(call('HGET', key .. ':unsettled', other) or '0', '^(%d+) ?(%d*)$')
  local accepted = call('ZSCORE', key .. ':followers', other)
  local requested = call('ZSCORE', key .. ':requests', other)
  return {
    following = following, asked = tonumber(asked or 0), position = position,
    follower = accepted and 'following' or requested and 'requested' or 'none',
    granted = tonumber(accepted or requested or 0),
    isBlocked = call('ZSCORE', key .. ':blocked', other) ~= false,
    refused = tonumber(refused or 0), taken = tonumber(taken ~= '' and taken or 0),
  }
end

local function relationJSON(uid, other, relation)
  return '{"uid":"' .. uid .. '","with":"' .. other .. '","following":"' .. relation.following
    .. '","follower":"' .. relation.follower .. '","blocked":' .. tostring(relation.isBlocked) .. '}'
end

local function relationMessage(change, uid, other, relation)
  return '{"id":"' .. change .. '","type":"relation","relation":' .. relationJSON(uid, other, relation) .. '}'
end

-- Answers a call that found everything as it should be: no change, and so no id.
local function unchanged(uid, other, relation)
  return '{"type":"unchanged","relation":' .. relationJSON(uid, other, relation) .. '}'
end

-- Announces a relation as it is to become; returns the message, and the version and microseconds of the change.
local function announceRelation(key, uid, other, relation)
  local version, micros, moment = nextChange(changeBefore(key))
  local change = wholeDigits(version) .. '-' .. moment
  local text = relationMessage(change, uid, other, relation)
  local refusal = announce(key, change, text, version)
  if refusal then error(refusal, 0) end
  return text, version, micros
end

-- Marks a pair whose other side has to hear of this one; what was refused stays refused, and what was taken back is
-- remembered, until it has.
local function unsettle(key, other, refused, taken)
  local mark = digits(refused or 0)
  if taken and taken > 0 then mark = mark .. ' ' .. digits(taken) end
  call('HSET', key .. ':unsettled', other, mark)
end

local function checkPlace(text)
  -- A number as JSON has it: Lua reads others as well.
  local place = text:find('^%-?%d+%.?%d*[eE]?[-+]?%d*$') and tonumber(text)
  checkPosition(place)
  return place
end

local function placeInOrder(key, other, relation, place)
  call('HSET', key .. ':following', other,
    relation.following .. ' ' .. digits(relation.asked) .. ' ' .. digits(place))
end

local function arrange(key, uid, args)
  local other, place = args[1], checkPlace(args[2])
  checkOther(uid, other)
  local relation = relationOf(key, other)
  if relation.following == 'none' then fail('NOT_FOUND', uid .. ' does not follow ' .. other) end
  if tonumber(relation.position) == place then return unchanged(uid, other, relation) end
  -- Nothing that the message says is new, but other views of the order have to look again.
  local text = announceRelation(key, uid, other, relation)
  placeInOrder(key, other, relation, place)
  return text
end

local function follow(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  local place = args[2] and checkPlace(args[2])
  local relation = relationOf(key, other)
  if relation.isBlocked then fail('INVALID', uid .. ' has blocked ' .. other .. ': unblock first') end
  if relation.following ~= 'none' then
    if place then return arrange(key, uid, args) end
    return unchanged(uid, other, relation)
  end
  if call('HLEN', key .. ':following') >= FOLLOWING_MOST then
    fail('FULL', uid .. ' follows ' .. FOLLOWING_MOST .. ' users already: unfollow somebody first')
  end
  relation.following = 'pending'
  local text, version, micros = announceRelation(key, uid, other, relation)
  relation.asked = micros
  placeInOrder(key, other, relation, place or version)
  unsettle(key, other, relation.refused, relation.taken)
  return text
end

local function unfollow(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  local relation = relationOf(key, other)
  if relation.following == 'none' then return unchanged(uid, other, relation) end
  relation.following = 'none'
  local text = announceRelation(key, uid, other, relation)
  call('HDEL', key .. ':following', other)
  unsettle(key, other, relation.refused, math.max(relation.asked, relation.taken))
  return text
end

local function checkRoomForFollower(key, uid)
  if call('ZCARD', key .. ':followers') >= FOLLOWERS_MOST then
    fail('FULL', uid .. ' has ' .. FOLLOWERS_MOST .. ' followers already: remove some first')
  end
end

local function accept(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  local relation = relationOf(key, other)
  if relation.follower == 'following' then return unchanged(uid, other, relation) end
  if relation.follower == 'none' then fail('NOT_FOUND', other .. ' does not ask to follow ' .. uid) end
  checkRoomForFollower(key, uid)
  relation.follower = 'following'
  local text = announceRelation(key, uid, other, relation)
  call('ZREM', key .. ':requests', other)
  call('ZADD', key .. ':followers', digits(relation.granted), other)
  unsettle(key, other, 0, relation.taken)
  return text
end

local function withdraw(key, other)
  call('ZREM', key .. ':followers', other)
  call('ZREM', key .. ':requests', other)
end

local function dismiss(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  local relation = relationOf(key, other)
  if relation.follower == 'none' then return unchanged(uid, other, relation) end
  relation.follower = 'none'
  local text = announceRelation(key, uid, other, relation)
  withdraw(key, other)
  unsettle(key, other, relation.granted, relation.taken)
  return text
end

local function checkRoomForBlocked(key, uid)
  if call('ZCARD', key .. ':blocked') >= BLOCKED_MOST then
    fail('FULL', uid .. ' has blocked ' .. BLOCKED_MOST .. ' users already: unblock some first')
  end
end

local function block(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  local relation = relationOf(key, other)
  if relation.isBlocked then return unchanged(uid, other, relation) end
  checkRoomForBlocked(key, uid)
  relation.follower, relation.following, relation.isBlocked = 'none', 'none', true
  local text, _, micros = announceRelation(key, uid, other, relation)
  call('ZADD', key .. ':blocked', digits(micros), other)
  withdraw(key, other)
  call('HDEL', key .. ':following', other)
  unsettle(key, other, math.max(relation.granted, relation.refused), math.max(relation.asked, relation.taken))
  return text
end

local function unblock(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  local relation = relationOf(key, other)
  if not relation.isBlocked then return unchanged(uid, other, relation) end
  relation.isBlocked = false
  local text = announceRelation(key, uid, other, relation)
  call('ZREM', key .. ':blocked', other)
  return text
end

-- One side's view, for the other side to meet: its words, and the microseconds that it is as of. No asking that it follows
-- on has larger ones, not even one from when the clock was ahead.
local function viewOf(key, relation)
  local _, lastVersion, lastMicros = lastChange(key)
  local _, micros = nextChange(lastVersion, lastMicros - 1)
  micros = math.max(micros, relation.asked, relation.taken)
  return table.concat({
    relation.following, digits(relation.asked), relation.follower, digits(relation.granted),
    relation.isBlocked and 'blocked' or 'open', digits(relation.refused), digits(micros),
  }, ' ')
end

local function pair(key, uid, args)
  checkOther(uid, args[1])
  return viewOf(key, relationOf(key, args[1]))
end

local WISHES = {none = true, pending = true, requested = true, following = true}
local GRANTS = {none = true, requested = true, following = true}

local function parsedView(text)
  local following, asked, follower, granted, door, refused, micros =
    text:match('^(%l+) (%d+) (%l+) (%d+) (%l+) (%d+) (%d+)$')
  if not micros or not WISHES[following] or not GRANTS[follower] then
    fail('USAGE', 'give the answer of todomate_pair of the other user')
  end
  return {
    following = following, asked = tonumber(asked), follower = follower, granted = tonumber(granted),
    isBlocked = door == 'blocked', refused = tonumber(refused), micros = tonumber(micros),
  }
end

-- What this side's wish becomes when it hears what the other side grants.
local function heardGrant(mine, theirs)
  if mine.following == 'none' then return 'none' end
  if theirs.isBlocked then return 'none' end
  if theirs.follower ~= 'none' then return theirs.granted == mine.asked and theirs.follower or mine.following end
  return theirs.refused == mine.asked and 'none' or mine.following
end

-- What this side grants when it hears the other side's wish: the grant, when it was asked for, and what was refused.
local function heardWish(key, mine, theirs)
  if theirs.following == 'none' then
    -- A view from before the asking says nothing about it.
    local refused = mine.refused > theirs.micros and mine.refused or 0
    if mine.follower == 'none' or mine.granted > theirs.micros then return mine.follower, mine.granted, refused end
    return 'none', 0, 0
  end
  if mine.isBlocked then return 'none', 0, theirs.asked end
  if mine.follower ~= 'none' then
    return mine.follower, mine.granted > theirs.micros and mine.granted or theirs.asked, 0
  end
  if mine.refused == theirs.asked then return 'none', 0, theirs.asked end
  local audience = call('HGET', key .. ':profile', 'audience') or 'followers'
  local isFull = call('ZCARD', key .. ':followers') >= FOLLOWERS_MOST
  if audience == 'private' or isFull then return 'none', 0, theirs.asked end
  return audience == 'public' and 'following' or 'requested', theirs.asked, 0
end

-- Whether a wish and a grant are two sides of the same.
local function agree(wish, asked, grant, granted)
  if wish == 'none' or grant == 'none' then return wish == grant end
  return wish == grant and asked == granted
end

-- In a function of its own: Lua allows a function 200 locals, and a file is one.
;(function()
  -- Whether a name is nobody's: it has no account, nor anything that somebody left.
  local function isNobody(key)
    return call('HEXISTS', key .. ':profile', 'password') == 0 and not hasData(key)
  end

  -- Takes over from the other side's view what this side must; answers with its own view and whether both agree now. For
  -- accounts alone, nothing is written under a name that is nobody's: it answers as one who has just come and does nothing.
  local function meet(key, uid, args)
    local other, theirs, scope = args[1], parsedView(args[2]), args[3]
    checkOther(uid, other)
    if scope and scope ~= 'accounts' then fail('USAGE', 'the third argument may be accounts') end
    local mine = relationOf(key, other)
    local wasMarked = call('HEXISTS', key .. ':unsettled', other) == 1
    local before = relationJSON(uid, other, mine)
    local following = heardGrant(mine, theirs)
    local follower, granted, refused = heardWish(key, mine, theirs)
    local wasWished, wasGranted, wasFollower = mine.following, mine.granted, mine.follower
    mine.following, mine.follower, mine.granted, mine.refused = following, follower, granted, refused
    if following == 'none' then
      -- What was refused is taken back as well: the view that goes back is of after it.
      mine.taken, mine.asked = math.max(mine.taken, mine.asked), 0
    end
    local isSettled = agree(mine.following, mine.asked, theirs.follower, theirs.granted)
      and agree(theirs.following, theirs.asked, mine.follower, mine.granted)
    if scope and isNobody(key) then return {viewOf(key, mine), isSettled and 1 or 0} end
    if relationJSON(uid, other, mine) ~= before then announceRelation(key, uid, other, mine) end
    if following == 'none' and wasWished ~= 'none' then
      call('HDEL', key .. ':following', other)
    elseif following ~= wasWished then
      placeInOrder(key, other, mine, tonumber(mine.position))
    end
    if follower ~= wasFollower or granted ~= wasGranted then
      withdraw(key, other)
      if follower ~= 'none' then
        call('ZADD', key .. (follower == 'following' and ':followers' or ':requests'), digits(granted), other)
      end
    end
    if not isSettled or refused > theirs.micros then
      unsettle(key, other, refused, mine.taken)
    elseif wasMarked then
      call('HDEL', key .. ':unsettled', other)
    end
    return {viewOf(key, mine), isSettled and 1 or 0}
  end

  register('todomate_meet', ' <other user> <what todomate_pair answers for the other user> [accounts]', 2, 3, {'allow-oom'},
    meet)
  register('todomate_nobody', '', 0, 0, {'no-writes'}, function(key) return isNobody(key) and 1 or 0 end)
end)()

local function relation(key, uid, args)
  checkOther(uid, args[1])
  return relationJSON(uid, args[1], relationOf(key, args[1]))
end

local function unsettled(key)
  return call('HKEYS', key .. ':unsettled')
end

-- Lists

local function following(key)
  local flat = call('HGETALL', key .. ':following')
  local entries = {}
  for index = 1, #flat, 2 do
    local state, _, position = flat[index + 1]:match('^(%l+) (%d+) (%S+)$')
    if not state then fail('CORRUPT', key .. ':following was edited by hand: HDEL it ' .. flat[index]) end
    entries[#entries + 1] = {uid = flat[index], state = state, position = tonumber(position)}
  end
  table.sort(entries, function(left, right)
    if left.position ~= right.position then return left.position < right.position end
    return left.uid < right.uid
  end)
  for index, entry in ipairs(entries) do
    entries[index] = '{"uid":"' .. entry.uid .. '","state":"' .. entry.state .. '","position":'
      .. digits(entry.position) .. '}'
  end
  return '[' .. table.concat(entries, ',') .. ']'
end

local LISTS = {following = ':followers', requested = ':requests', blocked = ':blocked'}

-- The newest first; the next page begins after the user and time that `next` names.
local function followers(key, _, args)
  local state, limit, after = args[1], tonumber(args[2]), args[3]
  if not LISTS[state] or not limit or limit < 1 or limit > PAGE_MOST or limit % 1 ~= 0 then
    fail('USAGE', 'give following, requested or blocked, and how many: 1 to ' .. PAGE_MOST)
  end
  local set = key .. LISTS[state]
  local score, member = '+inf', nil
  if after then
    score, member = after:match('^(%d+)%.(.+)$')
    if not score then fail('USAGE', 'give what the page before calls next') end
  end
  local pairsFound = call('ZRANGE', set, score, '-inf', 'BYSCORE', 'REV', 'LIMIT', '0', digits(limit + 64),
    'WITHSCORES')
  local entries, last = {}, nil
  local hasMore = false
  for index = 1, #pairsFound, 2 do
    local uid, since = pairsFound[index], pairsFound[index + 1]
    if not (member and since == score and uid >= member) then
      if #entries == limit then
        hasMore = true
        break
      end
      entries[#entries + 1] = '{"uid":"' .. uid .. '","state":"' .. state .. '","since":"'
        .. timestamp(math.floor(tonumber(since) / 1000000)) .. '"}'
      last = since .. '.' .. uid
    end
  end
  return '{"followers":[' .. table.concat(entries, ',') .. '],"count":' .. call('ZCARD', set)
    .. (hasMore and ',"next":"' .. last .. '"' or '') .. '}'
end

-- Settings

local function settingsOf(key)
  local audience, visibility, seen = unpack(call('HMGET', key .. ':profile', 'audience', 'visibility', 'feedSeen'))
  -- What was seen while the clock was far ahead would hide all that is new: it counts as nothing, and may be set anew.
  if seen and seen ~= '0' and tonumber(seen) > latestTime() then seen = nil end
  return {audience = audience or 'followers', visibility = visibility or 'followers', feedSeen = tonumber(seen or 0)}
end

local function settingsFields(uid, settings)
  return '"uid":"' .. uid .. '","audience":"' .. settings.audience .. '","visibility":"' .. settings.visibility
    .. '","feedSeen":' .. digits(settings.feedSeen)
end

-- What an audience was before is said where it is another now: only then others may see more, or less.
local function settingsMessage(change, uid, settings, before)
  local was = before ~= settings.audience and ',"was":{"audience":"' .. before .. '"}' or ''
  return '{"id":"' .. change .. '","type":"settings","settings":{' .. settingsFields(uid, settings) .. '}' .. was .. '}'
end

local function settings(key, uid, args)
  local given = decodedArgument(args[1])
  for field in pairs(given) do
    if field ~= 'audience' and field ~= 'visibility' and field ~= 'feedSeen' then
      fail('INVALID', 'settings are audience, visibility and feedSeen')
    end
  end
  if given.audience ~= nil and not AUDIENCES[given.audience] then
    fail('INVALID', 'audience must be public, followers or private')
  end
  if given.visibility ~= nil then checkVisibility(given.visibility) end
  local version, micros = nextChange(changeBefore(key))
  if given.feedSeen ~= nil then
    local seen = given.feedSeen
    if type(seen) ~= 'number' or not (seen >= 0 and seen < LARGEST_WHOLE) or seen % 1 ~= 0 then
      fail('INVALID', 'feedSeen must be a time in whole microseconds since 1970')
    end
    given.feedSeen = math.min(seen, micros)
  end
  local stored = settingsOf(key)
  local before = stored.audience
  local isChanged = false
  for field in pairs(stored) do
    -- What was seen stays seen.
    local isRise = field ~= 'feedSeen' or (given.feedSeen or 0) > stored.feedSeen
    if given[field] ~= nil and given[field] ~= stored[field] and isRise then
      stored[field] = given[field]
      isChanged = true
    end
  end
  if not isChanged then return '{"type":"unchanged","settings":{' .. settingsFields(uid, stored) .. '}}' end
  local change = wholeDigits(version) .. '-' .. wholeDigits(micros)
  local text = settingsMessage(change, uid, stored, before)
  local refusal = announce(key, change, text, version)
  if refusal then error(refusal, 0) end
  call('HSET', key .. ':profile', 'audience', stored.audience, 'visibility', stored.visibility,
    'feedSeen', digits(stored.feedSeen))
  return text
end

local function profile(key, uid)
  local newest = call('XREVRANGE', logKey, '+', '-', 'COUNT', '1')[1]
  -- Where an older library wrote the last change, an estimate for what is much: anybody may ask, and to weigh it takes long.
  local isKnown = newest and newest[2][3] == 'bytes'
  local estimate = not isKnown and call('MEMORY', 'USAGE', todosKey) or 0
  local bytes = estimate < CATCH_UP_BYTES and bytesIn(newest) or estimate
  local bytesMost = math.max(BYTES_MOST, tonumber(call('HGET', key .. ':profile', 'bytesMost') or 0) or 0)
  return '{' .. settingsFields(uid, settingsOf(key)) .. ',"following":' .. call('HLEN', key .. ':following')
    .. ',"followers":' .. call('ZCARD', key .. ':followers')
    .. ',"requests":' .. call('ZCARD', key .. ':requests')
    .. ',"todos":' .. call('ZCARD', daysKey)
    .. ',"bytes":' .. wholeDigits(bytes) .. ',"bytesMost":' .. wholeDigits(bytesMost) .. '}'
end

-- Access

-- What a viewer may see: own (all), followers (all but private todos), public (public todos), none.
local function accessOf(key, uid, viewer)
  if viewer == uid then return 'own' end
  if call('ZSCORE', key .. ':blocked', viewer) then return 'none' end
  if call('HGET', key .. ':profile', 'audience') == 'private' then return 'none' end
  return call('ZSCORE', key .. ':followers', viewer) and 'followers' or 'public'
end

local RANKS = {none = 0, public = 1, followers = 2, own = 3}

-- What is granted, or less where the viewer's own side says less.
local function limited(granted, most)
  if not most then return granted end
  if not RANKS[most] then fail('USAGE', 'the most that may be seen is own, followers, public or none') end
  return RANKS[most] < RANKS[granted] and most or granted
end

-- What this user's own side says of another, in one word: it may say that less is to be seen than the other one grants.
local function stance(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  if call('ZSCORE', key .. ':blocked', other) then return 'blocked' end
  return (wishOf(key, other))
end

-- Quotes inside JSON strings are escaped, so this text can only be the key; behind a long detail, a pattern takes ten times
-- as long to come to it.
local function visibilityIn(text)
  local _, last = find(text, '"visibility":"', 1, true)
  return last and match(text, '^%l+', last + 1) or 'followers'
end

local function maySee(access, visibility)
  if access == 'own' then return true end
  if access == 'followers' then return visibility ~= 'private' end
  return access == 'public' and visibility == 'public'
end

local function access(key, uid, args)
  checkUID(args[1])
  return {accessOf(key, uid, args[1]), (lastChange(key))}
end

-- The access and the todos of one moment; it is for the caller to leave out what the access does not cover.
local function view(key, uid, args)
  checkUID(args[1])
  local granted = accessOf(key, uid, args[1])
  if granted == 'none' then return {granted} end
  return {granted, list(key, uid, {args[2], args[3]})}
end

-- A todo, as long as the viewer may see it; without one, always.
local function get(key, uid, args)
  local id, viewer = args[1], args[2]
  checkID(id)
  if viewer then checkUID(viewer) end
  local text = call('HGET', todosKey, id)
  if text and (not viewer or maySee(accessOf(key, uid, viewer), visibilityIn(text))) then
    return withoutSeparators(text)
  end
  fail('NOT_FOUND', uid .. ' has no todo with the id ' .. id)
end

register('todomate_follow', ' <other user> [<position>]', 1, 2, {}, follow)
register('todomate_unfollow', ' <other user>', 1, 1, {'allow-oom'}, unfollow)
register('todomate_arrange', ' <other user> <position>', 2, 2, {}, arrange)
register('todomate_accept', ' <other user>', 1, 1, {}, accept)
register('todomate_dismiss', ' <other user>', 1, 1, {'allow-oom'}, dismiss)
register('todomate_block', ' <other user>', 1, 1, {'allow-oom'}, block)
register('todomate_unblock', ' <other user>', 1, 1, {}, unblock)
register('todomate_pair', ' <other user>', 1, 1, {'no-writes'}, pair)
register('todomate_relation', ' <other user>', 1, 1, {'no-writes'}, relation)
register('todomate_unsettled', '', 0, 0, {'no-writes'}, unsettled)
register('todomate_following', '', 0, 0, {'no-writes'}, following)
register('todomate_followers', ' following|requested|blocked <how many> [<next>]', 2, 3, {'no-writes'}, followers)
register('todomate_settings', ' <json>', 1, 1, {}, settings)
register('todomate_profile', '', 0, 0, {'no-writes'}, profile)
register('todomate_access', ' <viewer>', 1, 1, {'no-writes'}, access)
register('todomate_stance', ' <other user>', 1, 1, {'no-writes'}, stance)
register('todomate_view', ' <viewer> [<first yyyymmdd> <last yyyymmdd>]', 1, 3, {'no-writes'}, view)
register('todomate_get', ' <id> [<viewer>]', 1, 2, {'no-writes'}, get)
