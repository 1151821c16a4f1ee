-- Who follows whom, what users decide about themselves, and what one may see of another's todos.
--
--   todomate:{uid}:profile    hash        audience, visibility, feedSeen (and the password's hash)
--   todomate:{uid}:following  hash        whom this user follows -> "<state> <asked> <position>"
--   todomate:{uid}:followers  sorted set  who follows this user, scored by when they asked
--   todomate:{uid}:requests   sorted set  who asks to, scored by when
--   todomate:{uid}:blocked    sorted set  who may not, scored by when that was decided
--   todomate:{uid}:unsettled  hash        whose own side may not know yet -> the asking that was refused, or 0, and the
--                                         own one that was taken back, where there is one
--   todomate:{uid}:cut        hash        from whom a block has parted -> "<wish> <grant> <position> <until> <back>", for when
--                                         it is undone; gone ten minutes after the last block
--   todomate:{uid}:away       hash        who is about to delete the account -> "<what was granted> <asked>", for when they stay
--
-- A pair of users lives in two hash tags, so no function can write both sides. Each side's state is kept under its own
-- user: `following` is the follower's wish, `followers` and `requests` are what the other one grants. Whoever writes one
-- side marks the other user in `unsettled` in the same step; `pair` reads one side and `meet` hands it to the other, which
-- takes over what it must, until both agree and unmark each other. All of it can be repeated, reordered and cut off.
--
-- A block that is undone brings back by new wishes what it took away: `todomate_unblock` wishes on its own side and marks it as
-- `back`, the other side hears that, wishes again in turn and answers, and each grants what it granted before. Nothing is older
-- for it than it was, so that a view which is late changes no more than it would otherwise.
--
-- Whoever came by the other one's invitation may have been answered before they asked: `invitations.lua` has what that is.

-- What one side says of the other before it is asked: what a block took away, and in `invitations.lua` what an invitation says.
local answers = {}

local FOLLOWING_MOST = 5000
local FOLLOWERS_MOST = 1000000
local BLOCKED_MOST = 10000

local function checkUID(other)
  if type(other) ~= 'string' or #other > 64 or not other:find('^[%w._@-]+$') then
    fail('INVALID', 'a user must be 1 to 64 of A-Z a-z 0-9 . _ @ -')
  end
end

local function checkOther(uid, other)
  checkUID(other)
  if other == uid then fail('INVALID', 'this needs two users: ' .. uid .. ' is both') end
end

local function hasPassword(key)
  return call('HEXISTS', key .. ':profile', 'password') == 1
end

-- Pairs

-- The state, asking and position in an entry of `following`.
local function wishIn(key, other, wish)
  local following, asked, position = wish:match('^(%l+) (%d+) (%S+)$')
  if not following then fail('CORRUPT', key .. ':following was edited by hand: HDEL it ' .. other) end
  return following, asked, position
end

-- Whether this user follows another one, since when they asked, and the other one's place in the order.
local function wishOf(key, other)
  local wish = call('HGET', key .. ':following', other)
  if not wish then return 'none' end
  return wishIn(key, other, wish)
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

local function checkedRelation(key, uid, other)
  checkOther(uid, other)
  return relationOf(key, other)
end

local function relationJSON(uid, other, relation)
  return '{"uid":"' .. uid .. '","with":"' .. other .. '","following":"' .. relation.following
    .. '","follower":"' .. relation.follower .. '","blocked":' .. tostring(relation.isBlocked) .. '}'
end

-- Commits a relation as it is to become; returns the message, and the version and microseconds of the change.
local function commitRelation(key, uid, other, relation, leaving)
  local version, moment, bytes, beginning, micros = nextChange(key, leaving)
  local json = relationJSON(uid, other, relation)
  local text = commit(key, 'relation', json, '', version, moment, bytes, beginning, nil, nil, nil, nil, leaving)
  return text, version, micros
end

local function unchangedRelation(uid, other, relation)
  return unchanged('relation', relationJSON(uid, other, relation))
end

-- Marks a pair whose other side has to hear of this one, with what was refused and what was taken back.
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

local function checkRoomForWish(key, uid)
  if call('HLEN', key .. ':following') >= FOLLOWING_MOST then
    fail('FULL', uid .. ' follows ' .. FOLLOWING_MOST .. ' users already: unfollow somebody first')
  end
end

local function checkRoomForFollower(key, uid)
  if call('ZCARD', key .. ':followers') >= FOLLOWERS_MOST then
    fail('FULL', uid .. ' has ' .. FOLLOWERS_MOST .. ' followers already: remove some first')
  end
end

local function checkRoomForBlocked(key, uid)
  if call('ZCARD', key .. ':blocked') >= BLOCKED_MOST then
    fail('FULL', uid .. ' has blocked ' .. BLOCKED_MOST .. ' users already: unblock some first')
  end
end

local function withdraw(key, other)
  call('ZREM', key .. ':followers', other)
  call('ZREM', key .. ':requests', other)
end

answers.UNDO_SECONDS, answers.BACK_SECONDS, answers.CUTS_MOST = 600, 60, 1000

-- Keeps what a block takes from this side.
function answers.keepCut(key, other, wish, position, grant)
  call('HDEL', key .. ':cut', other)
  if wish == 'none' and grant ~= 'following' then return end
  -- Each block keeps all of them for longer: nobody undoes so many.
  if call('HLEN', key .. ':cut') >= answers.CUTS_MOST then call('DEL', key .. ':cut') end
  local over = digits(call('TIME')[1] + answers.UNDO_SECONDS)
  call('HSET', key .. ':cut', other, wish .. ' ' .. grant .. ' ' .. (position or '0') .. ' ' .. over .. ' kept')
  call('EXPIRE', key .. ':cut', digits(answers.UNDO_SECONDS))
end

-- What a block took from this side, as long as that can be undone.
function answers.cutOf(key, other)
  local text = call('HGET', key .. ':cut', other)
  local wish, grant, position, over, state = match(text or '', '^(%l+) (%l+) (%S+) (%d+) (%l+)$')
  if not wish or tonumber(over) <= tonumber(call('TIME')[1]) then return nil end
  return {wish = wish, grant = grant, position = position, isBack = state == 'back'}
end

-- Has the other side hear that it may bring back: for as long as the two sides may take to meet.
function answers.bringBack(key, other, cut)
  local over = digits(call('TIME')[1] + answers.BACK_SECONDS)
  call('HSET', key .. ':cut', other, 'none ' .. cut.grant .. ' 0 ' .. over .. ' back')
end

;(function()

--[[
  todomate_arrange: gives a user that one follows another place in the order.

  KEYS[1]  todomate:{uid}; writes :following :log :feed, reads :unsettled :followers :requests :blocked
  args[1]  the other user
  args[2]  the position, a number as JSON has it
  answer   the `relation` message, or `unchanged`
  errors   INVALID, NOT_FOUND
]]
local function arrange(key, uid, args)
  local other, place = args[1], checkPlace(args[2])
  local relation = checkedRelation(key, uid, other)
  if relation.following == 'none' then fail('NOT_FOUND', uid .. ' does not follow ' .. other) end
  if tonumber(relation.position) == place then return unchangedRelation(uid, other, relation) end
  -- The message says nothing new, but other views of the order have to read it again.
  local text = commitRelation(key, uid, other, relation)
  placeInOrder(key, other, relation, place)
  return text
end

--[[
  todomate_follow: wishes to follow another user.

  KEYS[1]  todomate:{uid}; writes :following :unsettled :log :feed, reads :followers :requests :blocked
  args[1]  the other user
  args[2]  the position in the order; optional, last by default
  answer   the `relation` message, or `unchanged`
  errors   INVALID, FULL
]]
local function follow(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  local place = args[2] and checkPlace(args[2])
  local relation = relationOf(key, other)
  if relation.isBlocked then fail('INVALID', uid .. ' has blocked ' .. other .. ': unblock first') end
  if relation.following ~= 'none' then
    if place then return arrange(key, uid, args) end
    return unchangedRelation(uid, other, relation)
  end
  checkRoomForWish(key, uid)
  relation.following = 'pending'
  local text, version, micros = commitRelation(key, uid, other, relation)
  relation.asked = micros
  placeInOrder(key, other, relation, place or version)
  -- What there was before the block is over.
  call('HDEL', key .. ':cut', other)
  unsettle(key, other, relation.refused, relation.taken)
  return text
end

--[[
  todomate_unfollow: stops following another user, or takes a request back.

  KEYS[1]  todomate:{uid}; writes :following :unsettled :log :feed, reads :followers :requests :blocked
  args[1]  the other user
  answer   the `relation` message, or `unchanged`
  errors   INVALID
]]
local function unfollow(key, uid, args)
  local other = args[1]
  local relation = checkedRelation(key, uid, other)
  if relation.following == 'none' then return unchangedRelation(uid, other, relation) end
  relation.following = 'none'
  local text = commitRelation(key, uid, other, relation)
  call('HDEL', key .. ':following', other)
  unsettle(key, other, relation.refused, math.max(relation.asked, relation.taken))
  return text
end

--[[
  todomate_accept: grants another user's request.

  KEYS[1]  todomate:{uid}; writes :followers :requests :unsettled :log :feed, reads :following :blocked
  args[1]  the other user
  answer   the `relation` message, or `unchanged`
  errors   INVALID, NOT_FOUND, FULL
]]
local function accept(key, uid, args)
  local other = args[1]
  local relation = checkedRelation(key, uid, other)
  if relation.follower == 'following' then return unchangedRelation(uid, other, relation) end
  if relation.follower == 'none' then fail('NOT_FOUND', other .. ' does not ask to follow ' .. uid) end
  checkRoomForFollower(key, uid)
  relation.follower = 'following'
  local text = commitRelation(key, uid, other, relation)
  call('ZREM', key .. ':requests', other)
  call('ZADD', key .. ':followers', digits(relation.granted), other)
  unsettle(key, other, 0, relation.taken)
  return text
end

--[[
  todomate_dismiss: refuses another user's request, or removes a follower.

  KEYS[1]  todomate:{uid}; writes :followers :requests :cut :unsettled :log :feed, reads :following :blocked
  args[1]  the other user
  answer   the `relation` message, or `unchanged`
  errors   INVALID
]]
local function dismiss(key, uid, args)
  local other = args[1]
  local relation = checkedRelation(key, uid, other)
  if relation.follower == 'none' then return unchangedRelation(uid, other, relation) end
  relation.follower = 'none'
  local text = commitRelation(key, uid, other, relation)
  withdraw(key, other)
  -- Whoever refuses is not to be had back by an undo of an earlier block.
  call('HDEL', key .. ':cut', other)
  unsettle(key, other, relation.granted, relation.taken)
  return text
end

--[[
  todomate_block: ends what is between two users in both directions, unless it is undone within ten minutes.

  KEYS[1]  todomate:{uid}; writes :blocked :following :followers :requests :away :cut :unsettled :log :feed :invitations :profile
  args[1]  the other user
  answer   the `relation` message, or `unchanged`
  errors   INVALID, FULL
]]
local function block(key, uid, args)
  local other = args[1]
  local relation = checkedRelation(key, uid, other)
  if relation.isBlocked then return unchangedRelation(uid, other, relation) end
  checkRoomForBlocked(key, uid)
  answers.keepCut(key, other, relation.following, relation.position, relation.follower)
  relation.follower, relation.following, relation.isBlocked = 'none', 'none', true
  local text, _, micros = commitRelation(key, uid, other, relation)
  call('ZADD', key .. ':blocked', digits(micros), other)
  withdraw(key, other)
  call('HDEL', key .. ':away', other)
  call('HDEL', key .. ':following', other)
  answers.given(key, other, answers.between(key, other))
  unsettle(key, other, math.max(relation.granted, relation.refused), math.max(relation.asked, relation.taken))
  return text
end

--[[
  todomate_unblock: lets another user ask again.

  KEYS[1]  todomate:{uid}; writes :blocked :following :cut :unsettled :log :feed, reads :followers :requests
  args[1]  the other user
  args[2]  `back`, to bring back what the block took away, for ten minutes and as far as the other side still lets it; optional
  answer   the `relation` message, or `unchanged`
  errors   USAGE, INVALID
]]
local function unblock(key, uid, args)
  local other, way = args[1], args[2]
  if way and way ~= 'back' then fail('USAGE', 'the second argument may be back') end
  local relation = checkedRelation(key, uid, other)
  if not relation.isBlocked then return unchangedRelation(uid, other, relation) end
  relation.isBlocked = false
  local cut = way and answers.cutOf(key, other)
  local isWished = cut and cut.wish ~= 'none' and call('HLEN', key .. ':following') < FOLLOWING_MOST
  if isWished then relation.following = 'pending' end
  local text, _, micros = commitRelation(key, uid, other, relation)
  call('ZREM', key .. ':blocked', other)
  if isWished then
    relation.asked = micros
    placeInOrder(key, other, relation, tonumber(cut.position))
  end
  if cut then
    answers.bringBack(key, other, cut)
    unsettle(key, other, relation.refused, relation.taken)
  else
    call('HDEL', key .. ':cut', other)
  end
  return text
end

register('todomate_follow', ' <other user> [<position>]', 1, 2, {}, follow)
register('todomate_unfollow', ' <other user>', 1, 1, {'allow-oom'}, unfollow)
register('todomate_arrange', ' <other user> <position>', 2, 2, {}, arrange)
register('todomate_accept', ' <other user>', 1, 1, {}, accept)
register('todomate_dismiss', ' <other user>', 1, 1, {'allow-oom'}, dismiss)
register('todomate_block', ' <other user>', 1, 1, {'allow-oom'}, block)
register('todomate_unblock', ' <other user> [back]', 1, 2, {}, unblock)

end)()

local WISHES = {none = true, pending = true, requested = true, following = true}

;(function()

local GRANTS = {none = true, requested = true, following = true}

-- One side's view for the other to meet: its state, and the microseconds that it is as of. No asking in it is later, not
-- even one from when the clock was ahead. Behind a wish that is not granted stands the invitation by which one of the two came.
local function viewOf(key, other, relation)
  local cut, access = answers.cutOf(key, other), 'open'
  if relation.isBlocked then
    access = 'blocked'
  elseif relation.isAway then
    access = 'away'
  elseif cut and cut.isBack then
    access = 'back'
  end
  local invitation = (relation.following == 'pending' or relation.following == 'requested') and answers.between(key, other)
  local _, _, lastMicros = lastChange(key)
  local micros = math.max(momentAfter(lastMicros - 1), relation.asked, relation.taken)
  return table.concat({
    relation.following, digits(relation.asked), relation.follower, digits(relation.granted),
    access, digits(relation.refused), digits(micros), invitation or nil,
  }, ' ')
end

--[[
  todomate_pair: reads this side of a pair, for todomate_meet on the other side.

  KEYS[1]  todomate:{uid}; reads :following :unsettled :followers :requests :blocked :profile :invitations :log
  args[1]  the other user
  answer   the view, as one text
  errors   INVALID
]]
local function pair(key, uid, args)
  local relation = checkedRelation(key, uid, args[1])
  relation.isAway = call('HEXISTS', key .. ':profile', 'leaving') == 1
  return viewOf(key, args[1], relation)
end

local function parsedView(text)
  local following, asked, follower, granted, blocking, refused, micros, invitation =
    text:match('^(%l+) (%d+) (%l+) (%d+) (%l+) (%d+) (%d+) ?([%w_-]*)$')
  if not micros or not WISHES[following] or not GRANTS[follower] then
    fail('USAGE', 'give the answer of todomate_pair of the other user')
  end
  return {
    following = following, asked = tonumber(asked), follower = follower, granted = tonumber(granted),
    isBlocked = blocking == 'blocked', isAway = blocking == 'away', isBack = blocking == 'back',
    refused = tonumber(refused), micros = tonumber(micros),
    invitation = invitation ~= '' and invitation or nil,
  }
end

-- What this side's wish becomes once it knows what the other side grants.
local function heardGrant(mine, theirs)
  if mine.following == 'none' or theirs.isBlocked then return 'none' end
  -- As if nobody had that name.
  if theirs.isAway then return theirs.refused == mine.asked and 'none' or 'requested' end
  if theirs.follower ~= 'none' then return theirs.granted == mine.asked and theirs.follower or mine.following end
  return theirs.refused == mine.asked and 'none' or mine.following
end

-- What this side grants once it knows the other side's wish: the grant, when it was asked for, and what was refused; and what is
-- kept of it for somebody who is about to delete the account, and may stay.
local function heardWish(key, other, mine, theirs, kept, cut)
  -- A view from before the asking says nothing about it.
  local refused = mine.refused > theirs.micros and mine.refused or 0
  if theirs.following ~= 'none' and theirs.isAway then
    if mine.follower ~= 'none' then kept = mine.follower .. ' ' .. digits(mine.granted) end
    return 'none', 0, refused, kept
  end
  if kept and theirs.following ~= 'none' and mine.follower == 'none' and not mine.isBlocked then
    local state, asked = match(kept, '^(%l+) (%d+)$')
    if tonumber(asked) == theirs.asked then return state, theirs.asked, 0 end
  end
  if theirs.following == 'none' then
    if mine.follower == 'none' or mine.granted > theirs.micros then return mine.follower, mine.granted, refused end
    return 'none', 0, 0
  end
  if mine.isBlocked then return 'none', 0, theirs.asked end
  if mine.follower ~= 'none' then
    return mine.follower, mine.granted > theirs.micros and mine.granted or theirs.asked, 0
  end
  if mine.refused == theirs.asked then return 'none', 0, theirs.asked end
  -- Nobody has asked a name that nobody has; who stays hears of it.
  if mine.isAway then return 'none', 0, 0 end
  local audience = call('HGET', key .. ':profile', 'audience') or 'followers'
  local isFull = call('ZCARD', key .. ':followers') >= FOLLOWERS_MOST
  if audience == 'private' or isFull then return 'none', 0, theirs.asked end
  local isBack = cut and cut.grant == 'following' and (cut.isBack or theirs.isBack)
  local isGranted = audience == 'public' or isBack or answers.isGranted(key, other, theirs.invitation)
  return isGranted and 'following' or 'requested', theirs.asked, 0
end

-- Whether a wish and a grant are two sides of the same.
local function agree(wish, asked, grant, granted)
  if wish == 'none' or grant == 'none' then return wish == grant end
  return wish == grant and asked == granted
end

-- Whether this side has of one who is about to leave what it would have of a name that nobody has.
local function hasLetGo(wish, grant)
  return grant == 'none' and (wish == 'none' or wish == 'requested')
end

-- Whether both sides have taken over from each other what they must.
local function areSettled(mine, theirs)
  if mine.isAway or theirs.isAway then
    return (not theirs.isAway or hasLetGo(mine.following, mine.follower))
      and (not mine.isAway or hasLetGo(theirs.following, theirs.follower))
  end
  return agree(mine.following, mine.asked, theirs.follower, theirs.granted)
    and agree(theirs.following, theirs.asked, mine.follower, mine.granted)
end

-- Whether a name has neither an account nor other data.
local function isUnused(key)
  return not hasPassword(key) and not hasData(key)
end

--[[
  todomate_meet: takes over from the other side's view what this side must.

  KEYS[1]  todomate:{uid}; writes :following :followers :requests :away :cut :unsettled :log :feed :invitations :profile,
           reads :blocked
  args[1]  the other user
  args[2]  what todomate_pair or todomate_meet answers on the other side
  args[3]  `accounts`, to write nothing under a name without account and data; optional
  answer   this side's view, and 1 if both agree now, else 0
  errors   USAGE, INVALID
]]
local function meet(key, uid, args)
  local other, theirs, scope = args[1], parsedView(args[2]), args[3]
  checkOther(uid, other)
  if scope and scope ~= 'accounts' then fail('USAGE', 'the third argument may be accounts') end
  local mine = relationOf(key, other)
  local leaving, kept = call('HGET', key .. ':profile', 'leaving') or nil, call('HGET', key .. ':away', other) or nil
  mine.isAway = leaving ~= nil
  local wasMarked = call('HEXISTS', key .. ':unsettled', other) == 1
  local before = relationJSON(uid, other, mine)
  local following, cut = heardGrant(mine, theirs), answers.cutOf(key, other)
  -- A block that was undone before this side heard of it.
  if theirs.isBack and not cut then cut = {wish = mine.following, grant = mine.follower, position = mine.position} end
  local follower, granted, refused, keeps = heardWish(key, other, mine, theirs, kept, cut)
  local wasWished, wasGranted, wasFollower = mine.following, mine.granted, mine.follower
  mine.following, mine.follower, mine.granted, mine.refused = following, follower, granted, refused
  if following == 'none' then
    -- What was refused is taken back as well: the view that goes back is of after it.
    mine.taken, mine.asked = math.max(mine.taken, mine.asked), 0
  end
  local isWished = following == 'none' and theirs.isBack and cut and cut.wish ~= 'none' and not mine.isBlocked and not mine.isAway
    and call('HLEN', key .. ':following') < FOLLOWING_MOST
  if isWished then mine.following, mine.position = 'pending', cut.position end
  -- Who let go was told by a view that may be old by now: the mark stays until another one says the same.
  local isSettled = areSettled(mine, theirs) and (keeps == kept or not keeps)
    and (not theirs.isAway or mine.following == wasWished)
  if scope and isUnused(key) then return {viewOf(key, other, mine), isSettled and 1 or 0} end
  if theirs.isBlocked and (wasWished ~= 'none' or wasFollower == 'following' or cut and cut.isBack) then
    answers.keepCut(key, other, wasWished, mine.position, wasFollower)
  end
  if relationJSON(uid, other, mine) ~= before then
    local _, _, micros = commitRelation(key, uid, other, mine, leaving)
    if isWished then mine.asked = micros end
  end
  if isWished then
    placeInOrder(key, other, mine, tonumber(mine.position))
  elseif following == 'none' and wasWished ~= 'none' then
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
  -- Each side brings back once, and a new wish is not one that a block took away.
  if cut and (theirs.isBack or theirs.following ~= 'none' and (cut.isBack or follower ~= wasFollower)) then
    call('HDEL', key .. ':cut', other)
  end
  -- The first wish is the one that was answered; those after it ask.
  if theirs.invitation and theirs.following ~= 'none' and not mine.isAway then answers.given(key, other, theirs.invitation) end
  if keeps ~= kept then
    if keeps then call('HSET', key .. ':away', other, keeps) else call('HDEL', key .. ':away', other) end
  end
  if not isSettled or refused > theirs.micros then
    unsettle(key, other, refused, mine.taken)
  elseif wasMarked then
    call('HDEL', key .. ':unsettled', other)
  end
  return {viewOf(key, other, mine), isSettled and 1 or 0}
end

--[[
  todomate_nobody: reads whether a name is unused.

  KEYS[1]  todomate:{uid}; reads :profile and whether there are :todos :log :following :followers :requests :blocked
  answer   1 for a name with neither an account nor other data, else 0
]]
local function nobody(key)
  return isUnused(key) and 1 or 0
end

--[[
  todomate_relation: reads what one side knows of a pair.

  KEYS[1]  todomate:{uid}; reads :following :unsettled :followers :requests :blocked
  args[1]  the other user
  answer   {"uid":…,"with":…,"following":…,"follower":…,"blocked":…}
  errors   INVALID
]]
local function relation(key, uid, args)
  return relationJSON(uid, args[1], checkedRelation(key, uid, args[1]))
end

--[[
  todomate_unsettled: lists the users whose sides may not agree with this one.

  KEYS[1]  todomate:{uid}; reads :unsettled
  answer   the users, in no order
]]
local function unsettled(key)
  return call('HKEYS', key .. ':unsettled')
end

--[[
  todomate_stance: reads what this user's own side says of another, which may let them see less than is granted.

  KEYS[1]  todomate:{uid}; reads :blocked :following
  args[1]  the other user
  answer   `blocked`, `none`, `pending`, `requested` or `following`
  errors   INVALID
]]
local function stance(key, uid, args)
  local other = args[1]
  checkOther(uid, other)
  if call('ZSCORE', key .. ':blocked', other) then return 'blocked' end
  return (wishOf(key, other))
end

register('todomate_pair', ' <other user>', 1, 1, {'no-writes'}, pair)
register('todomate_meet', ' <other user> <what todomate_pair answers for the other user> [accounts]', 2, 3, {'allow-oom'},
  meet)
register('todomate_nobody', '', 0, 0, {'no-writes'}, nobody)
register('todomate_relation', ' <other user>', 1, 1, {'no-writes'}, relation)
register('todomate_unsettled', '', 0, 0, {'no-writes'}, unsettled)
register('todomate_stance', ' <other user>', 1, 1, {'no-writes'}, stance)

end)()

-- Lists

;(function()

local PAGE_MOST = 1000
local LISTS = {following = ':followers', requested = ':requests', blocked = ':blocked'}

--[[
  todomate_following: lists whom a user follows.

  KEYS[1]  todomate:{uid}; reads :following
  answer   [{"uid":…,"state":…,"position":…},…] in the user's order
]]
local function following(key)
  local flat = call('HGETALL', key .. ':following')
  local entries = {}
  for index = 1, #flat, 2 do
    local state, _, position = wishIn(key, flat[index], flat[index + 1])
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

--[[
  todomate_followers: lists a page of followers, requests or blocked users, the newest first.

  KEYS[1]  todomate:{uid}; reads :followers, :requests or :blocked
  args[1]  `following`, `requested` or `blocked`
  args[2]  how many, 1 to 1000
  args[3]  the `next` of the page before; optional
  answer   {"followers":[{"uid":…,"state":…,"since":…},…],"count":<of all>,"next":<user and time>}
  errors   USAGE
]]
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
  local found = call('ZRANGE', set, score, '-inf', 'BYSCORE', 'REV', 'LIMIT', '0', digits(limit + 64), 'WITHSCORES')
  local entries, last = {}, nil
  local hasMore = false
  for index = 1, #found, 2 do
    local uid, since = found[index], found[index + 1]
    if not (member and since == score and uid >= member) then
      if #entries == limit then
        hasMore = true
        break
      end
      entries[#entries + 1] = '{"uid":"' .. uid .. '","state":"' .. state .. '","since":"'
        .. timestamp(secondsOf(tonumber(since))) .. '"}'
      last = since .. '.' .. uid
    end
  end
  return '{"followers":[' .. table.concat(entries, ',') .. '],"count":' .. call('ZCARD', set)
    .. (hasMore and ',"next":"' .. last .. '"' or '') .. '}'
end

register('todomate_following', '', 0, 0, {'no-writes'}, following)
register('todomate_followers', ' following|requested|blocked <how many> [<next>]', 2, 3, {'no-writes'}, followers)

end)()

-- Access

-- What a viewer may see: own (all), followers (all but private todos), public (public todos), none. Who is about to delete the
-- account has a private audience.
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

local function visibilityIn(text)
  -- Quotes inside JSON strings are escaped, so this text can only be the key; a pattern would find it ten times slower.
  local _, last = find(text, '"visibility":"', 1, true)
  return last and match(text, '^%l+', last + 1) or 'followers'
end

local function maySee(access, visibility)
  if access == 'own' then return true end
  if access == 'followers' then return visibility ~= 'private' end
  return access == 'public' and visibility == 'public'
end

;(function()

--[[
  todomate_access: reads what a viewer may see of a user.

  KEYS[1]  todomate:{uid}; reads :blocked :profile :followers :log
  args[1]  the viewer
  answer   `own`, `followers`, `public` or `none`, and the last change id
  errors   INVALID
]]
local function access(key, uid, args)
  checkUID(args[1])
  return {accessOf(key, uid, args[1]), (lastChange(key))}
end

--[[
  todomate_view: todomate_access and todomate_list at one moment; the caller leaves out what the access does not cover.

  KEYS[1]  todomate:{uid}; reads :blocked :profile :followers :days :todos :log
  args[1]  the viewer
  args[2]  the first day as yyyymmdd; optional, with the last
  args[3]  the last day
  answer   `own`, `followers`, `public` or `none`, and unless it is `none` what todomate_list answers
  errors   USAGE, INVALID
]]
local function view(key, uid, args)
  checkUID(args[1])
  local granted = accessOf(key, uid, args[1])
  if granted == 'none' then return {granted} end
  return {granted, listed(key, checkedDays(args[2], args[3]))}
end

--[[
  todomate_get: reads one todo.

  KEYS[1]  todomate:{uid}; reads :todos :blocked :profile :followers
  args[1]  the todo's id
  args[2]  the viewer; optional, without one the owner
  answer   the todo's JSON
  errors   INVALID, NOT_FOUND
]]
local function get(key, uid, args)
  local id, viewer = args[1], args[2]
  checkID(id)
  if viewer then checkUID(viewer) end
  local text = call('HGET', todosKey, id)
  if text and (not viewer or maySee(accessOf(key, uid, viewer), visibilityIn(text))) then
    return withoutSeparators(text)
  end
  failNotFound(uid, id)
end

register('todomate_access', ' <viewer>', 1, 1, {'no-writes'}, access)
register('todomate_view', ' <viewer> [<first yyyymmdd> <last yyyymmdd>]', 1, 3, {'no-writes'}, view)
register('todomate_get', ' <id> [<viewer>]', 1, 2, {'no-writes'}, get)

end)()
