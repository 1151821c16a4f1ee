-- Invitations: what a user makes so that others can make an account.
--
--   todomate:{uid}:invitations  hash  id -> {"made":…,"expires":…,"uses":…,"welcome":true,"label":…,
--                                            "came":[{"uid":…,"at":…,"joined":true,"answered":true},…]}
--
-- The id is the digest of a secret that only the link holds: whoever knows the secret finds the invitation, and whoever
-- reads this table finds no secret.
--
-- The inviter and the new account lie in two hash tags, so that no function can write both. A use is taken for one name
-- (`take`), then the account of that name is made by that invitation (`todomate_enroll`); both can be repeated. A use whose
-- account was not made is given back: at once where that was refused, and where somebody stopped in between, when the next
-- one finds no use left and the account of that name not made by this invitation. One whose account was made is marked as
-- joined, at once and again before all of that account is deleted, and not given back: who was sent away cannot come back
-- by it.
--
-- One with `welcome` is for one person, who may follow the inviter without asking; whoever comes by an invitation may say the same
-- of the inviter (`welcomes` in the profile). Either is an answer to the first wish to follow, once, as long as the invitation
-- lasts: a view of the one who wishes names the invitation by which the one came that the other made, so that nobody else of a
-- name gets the answer that was for somebody before. A block takes it back.

;(function()

local OPEN_MOST, KEPT_MOST = 50, 100
local USES_MOST = 100
local SECONDS_LEAST, SECONDS_MOST = 60, 31536000
local ABANDONED_SECONDS = 120  -- twice the time in which todomate_enroll has to follow
local FIELDS = {id = true, uses = true, seconds = true, label = true, most = true, welcome = true}

local seconds, checkID, checkLabel = account.seconds, account.checkID, account.checkLabel

local function keyOf(key) return key .. ':invitations' end

local function encodedInvitation(invitation)
  local came = {}
  for index, one in ipairs(invitation.came) do
    came[index] = '{"uid":"' .. one.uid .. '","at":' .. wholeDigits(one.at) .. (one.joined and ',"joined":true' or '')
      .. (one.answered and ',"answered":true}' or '}')
  end
  return '{"made":' .. wholeDigits(invitation.made) .. ',"expires":' .. wholeDigits(invitation.expires) .. ',"uses":'
    .. wholeDigits(invitation.uses) .. (invitation.welcome and ',"welcome":true' or '')
    .. checkLabel('label', invitation.label) .. ',"came":[' .. table.concat(came, ',') .. ']}'
end

local function stored(key, id, text)
  local invitation = decoded(text)
  if not invitation or type(invitation.came) ~= 'table' or type(invitation.expires) ~= 'number' then
    fail('CORRUPT', key .. ':invitations was edited by hand: HDEL it ' .. id)
  end
  invitation.id = id
  return invitation
end

local function isLeft(invitation) return #invitation.came < invitation.uses end

local function isEarlier(left, right)
  if left.made ~= right.made then return left.made < right.made end
  return left.id < right.id
end

-- The invitations that are not over, the one made first in front, and the ids of the others.
local function current(key)
  local flat, now = call('HGETALL', keyOf(key)), seconds()
  local all, over = {}, {}
  for index = 1, #flat, 2 do
    local invitation = stored(key, flat[index], flat[index + 1])
    if invitation.expires > now then all[#all + 1] = invitation else over[#over + 1] = invitation.id end
  end
  table.sort(all, isEarlier)
  return all, over
end

-- One that can be made use of, or nil.
local function inForce(key, id)
  -- Whoever is suspended must not come back by another name; who is about to delete the account is gone to others.
  local isThere = hasPassword(key) and not account.isSuspended(key) and call('HEXISTS', key .. ':profile', 'leaving') == 0
  local text = isThere and call('HGET', keyOf(key), id)
  local invitation = text and stored(key, id, text)
  return invitation and invitation.expires > seconds() and invitation or nil
end

-- One that is not over: for all that it may be instead there is one answer.
local function found(key, uid, id)
  checkID(id)
  return inForce(key, id) or fail('NOT_FOUND', 'there is no such invitation of ' .. uid .. ' (any more)')
end

local function placeOf(invitation, name)
  for index, one in ipairs(invitation.came) do
    if one.uid == name then return index end
  end
  return nil
end

-- Answers to wishes

-- Whether this user came by the other one's invitation.
local function cameBy(key, other, id)
  return call('HGET', key .. ':profile', 'invitation') == other .. '.' .. id
end

-- The id of the invitation by which one of two came that the other one made; nil for none, or one of one's own that is over.
function answers.between(key, other)
  local by = call('HGET', key .. ':profile', 'invitation')
  if by and by:sub(1, #other + 1) == other .. '.' and #by == #other + 23 then return by:sub(#other + 2) end
  local flat, entry = call('HGETALL', keyOf(key)), '"uid":"' .. other .. '"'
  for index = 1, #flat, 2 do
    -- Few of them are read: the others do not have the name.
    if flat[index + 1]:find(entry, 1, true) then
      local invitation = stored(key, flat[index], flat[index + 1])
      if invitation.expires > seconds() and placeOf(invitation, other) then return flat[index] end
    end
  end
  return nil
end

-- Whether this user has said that the other one may follow, before that was asked.
function answers.isGranted(key, other, id)
  if not id then return false end
  if cameBy(key, other, id) then
    return call('HEXISTS', key .. ':profile', 'welcomes') == 1 and not account.isSuspended(key)
  end
  local invitation = inForce(key, id)
  local place = invitation and invitation.welcome and placeOf(invitation, other)
  return place ~= nil and place ~= false and not invitation.came[place].answered
end

-- It was said once, and is no answer to the next wish.
function answers.given(key, other, id)
  if not id then return end
  if cameBy(key, other, id) then
    call('HDEL', key .. ':profile', 'welcomes')
    return
  end
  local text = call('HGET', keyOf(key), id)
  local invitation = text and stored(key, id, text)
  local place = invitation and placeOf(invitation, other)
  if not place or invitation.came[place].answered then return end
  invitation.came[place].answered = true
  call('HSET', keyOf(key), id, encodedInvitation(invitation))
end

local function isWhole(number, least, most)
  return type(number) == 'number' and number % 1 == 0 and number >= least and number <= most
end

--[[
  todomate_invite: makes an invitation.

  KEYS[1]  todomate:{uid}; writes :invitations, reads :profile
  args[1]  JSON with id, uses and seconds, and where wanted label, most: how many may be open then, from 1 to 50, and welcome:
           whether the one who comes may follow without asking
  answer   the invitation as todomate_invitations lists it
  errors   INVALID, NOT_FOUND, EXISTS, FULL, LEAVING
]]
local function invite(key, uid, args)
  local given = decodedArgument(args[1])
  for field in pairs(given) do
    if not FIELDS[field] then fail('INVALID', 'an invitation has id, uses, seconds, label, most and welcome') end
  end
  checkID(given.id)
  if not isWhole(given.uses, 1, USES_MOST) then
    fail('INVALID', 'uses must be a whole number from 1 to ' .. USES_MOST)
  end
  if not isWhole(given.seconds, SECONDS_LEAST, SECONDS_MOST) then
    fail('INVALID', 'seconds must be a whole number from ' .. SECONDS_LEAST .. ' to ' .. SECONDS_MOST)
  end
  checkLabel('label', given.label)
  if given.welcome ~= nil and type(given.welcome) ~= 'boolean' then fail('INVALID', 'welcome must be true or false') end
  if given.welcome and given.uses ~= 1 then
    fail('INVALID', 'an invitation of several uses welcomes nobody: make one for each, or leave welcome out')
  end
  local most = given.most
  if most == nil then most = OPEN_MOST end
  if not isWhole(most, 1, OPEN_MOST) then fail('INVALID', 'most must be a whole number from 1 to ' .. OPEN_MOST) end
  account.check(key, uid)
  refuseWhileLeaving(key)
  if call('HEXISTS', keyOf(key), given.id) == 1 then
    fail('EXISTS', 'there is an invitation with this id: take another')
  end
  local all, over = current(key)
  local open, first = 0, nil
  for _, invitation in ipairs(all) do
    if isLeft(invitation) then open = open + 1 else first = first or invitation.id end
  end
  if open >= most then
    fail('FULL', uid .. ' has ' .. open .. " open invitations already: take some back with 'todomate invite end "
      .. uid .. "'")
  end
  -- Those that are used up tell who came by them, the latest for as long as they last.
  if #all >= KEPT_MOST then over[#over + 1] = first end
  for _, id in ipairs(over) do call('HDEL', keyOf(key), id) end
  local now = seconds() + 0
  local text = encodedInvitation({
    made = now, expires = now + given.seconds, uses = given.uses, welcome = given.welcome, label = given.label, came = {}})
  call('HSET', keyOf(key), given.id, text)
  return '{"id":"' .. given.id .. '",' .. text:sub(2)
end

--[[
  todomate_invitations: lists the invitations that are not over, in the order in which they were made.

  KEYS[1]  todomate:{uid}; reads :invitations
  answer   [{"id":…,"made":…,"expires":…,"uses":…,"welcome":true,"label":…,"came":[{"uid":…,"at":…},…]},…]
]]
local function invitations(key)
  local all = current(key)
  for index, invitation in ipairs(all) do
    all[index] = '{"id":"' .. invitation.id .. '",' .. encodedInvitation(invitation):sub(2)
  end
  return '[' .. table.concat(all, ',') .. ']'
end

--[[
  todomate_invitation: reads one invitation that is not over, whether or not uses are left.

  KEYS[1]  todomate:{uid}; reads :invitations :profile
  args[1]  the invitation's id
  answer   the invitation as todomate_invitations lists it
  errors   INVALID, NOT_FOUND
]]
local function oneInvitation(key, uid, args)
  return '{"id":"' .. args[1] .. '",' .. encodedInvitation(found(key, uid, args[1])):sub(2)
end

--[[
  todomate_end_invitation: takes an invitation back.

  KEYS[1]  todomate:{uid}; writes :invitations
  args[1]  the invitation's id
  answer   1
  errors   INVALID, NOT_FOUND
]]
local function endInvitation(key, uid, args)
  checkID(args[1])
  if call('HDEL', keyOf(key), args[1]) == 0 then
    fail('NOT_FOUND', 'there is no such invitation of ' .. uid .. ' (any more)')
  end
  return 1
end

--[[
  todomate_take_invitation: takes a use of an invitation for a name; one that the name has taken before is taken no
  second time.

  KEYS[1]  todomate:{uid}; writes :invitations, reads :profile
  args[1]  the invitation's id
  args[2]  the new user's name
  answer   the time in seconds, for todomate_enroll, which must follow within a minute; 0 where an account came of it
  errors   INVALID, NOT_FOUND, FULL
]]
local function take(key, uid, args)
  local name, now = args[2], seconds() + 0
  checkUID(name)
  local invitation = found(key, uid, args[1])
  local place = placeOf(invitation, name)
  if not place then
    if not isLeft(invitation) then
      fail('FULL', 'this invitation of ' .. uid .. ' is used up: ask for another')
    end
    place = #invitation.came + 1
  end
  local before = invitation.came[place]
  -- Whoever asks again finds the account that came of it, and makes no other.
  if before and before.joined then return 0 end
  invitation.came[place] = {uid = name, at = now, answered = before and before.answered}
  call('HSET', keyOf(key), args[1], encodedInvitation(invitation))
  return now
end

--[[
  todomate_settle_invitation: marks a use of an invitation as one that an account came of, which is not given back.

  KEYS[1]  todomate:{uid}; writes :invitations
  args[1]  the invitation's id
  args[2]  the name that it was taken for
  answer   1, or 0 where there is no such use
  errors   INVALID
]]
local function settle(key, _, args)
  local id, name = args[1], args[2]
  checkID(id)
  checkUID(name)
  local text = call('HGET', keyOf(key), id)
  local invitation = text and stored(key, id, text)
  local place = invitation and placeOf(invitation, name)
  if not place then return 0 end
  if not invitation.came[place].joined then
    invitation.came[place].joined = true
    call('HSET', keyOf(key), id, encodedInvitation(invitation))
  end
  return 1
end

--[[
  todomate_return_invitation: gives a use of an invitation back, whose account was not made.

  KEYS[1]  todomate:{uid}; writes :invitations
  args[1]  the invitation's id
  args[2]  the name that it was taken for
  args[3]  what todomate_take_invitation answered: one that was taken again since stays taken
  args[4]  `abandoned`, to do so only once the account cannot be made by it any more; optional
  answer   1, or 0 where there is none to give back, or an account came of it
  errors   INVALID, USAGE
]]
local function giveBack(key, _, args)
  local id, name, mustBeOld = args[1], args[2], args[4] == 'abandoned'
  if args[4] and not mustBeOld then fail('USAGE', 'the last argument may be abandoned') end
  checkID(id)
  checkUID(name)
  local text = call('HGET', keyOf(key), id)
  if not text then return 0 end
  local invitation = stored(key, id, text)
  local place = placeOf(invitation, name)
  if not place or invitation.came[place].joined or invitation.came[place].at ~= tonumber(args[3]) then return 0 end
  if mustBeOld and invitation.came[place].at + ABANDONED_SECONDS >= seconds() + 0 then return 0 end
  table.remove(invitation.came, place)
  call('HSET', keyOf(key), id, encodedInvitation(invitation))
  return 1
end

--[[
  todomate_forget_person: forgets a person who is being deleted, where nothing of theirs leads here: what a block has taken from them,
  that they came by an invitation, whose use stays taken, and that they made the one by which this user came.

  KEYS[1]  todomate:{uid}; writes :cut :invitations :profile
  args[1]  the person
  answer   1, or 0 where nothing was kept
  errors   INVALID
]]
local function forgetPerson(key, _, args)
  local person = args[1]
  checkUID(person)
  local count = call('HDEL', key .. ':cut', person)
  local flat, entry = call('HGETALL', keyOf(key)), '"uid":"' .. person .. '"'
  for index = 1, #flat, 2 do
    local invitation = flat[index + 1]:find(entry, 1, true) and decoded(flat[index + 1])
    -- What was edited by hand holds up nobody's deletion.
    local place = invitation and type(invitation.came) == 'table' and placeOf(invitation, person)
    if place then
      local one = invitation.came[place]
      invitation.came[place] = {uid = '', at = one.at, joined = one.joined, answered = one.answered}
      call('HSET', keyOf(key), flat[index], encodedInvitation(invitation))
      count = 1
    end
  end
  local by = call('HGET', key .. ':profile', 'invitation')
  if by and by:sub(1, #person + 1) == person .. '.' and #by == #person + 23 then
    call('HDEL', key .. ':profile', 'invitation', 'welcomes')
    count = 1
  end
  return count
end

register('todomate_forget_person', ' <person>', 1, 1, {'allow-oom'}, forgetPerson)
register('todomate_invite', ' <json>', 1, 1, {}, invite)
register('todomate_invitations', '', 0, 0, {'no-writes'}, invitations)
register('todomate_invitation', ' <invitation id>', 1, 1, {'no-writes'}, oneInvitation)
register('todomate_end_invitation', ' <invitation id>', 1, 1, {'allow-oom'}, endInvitation)
register('todomate_take_invitation', ' <invitation id> <new user>', 2, 2, {}, take)
register('todomate_settle_invitation', ' <invitation id> <new user>', 2, 2, {'allow-oom'}, settle)
register('todomate_return_invitation', ' <invitation id> <new user> <taken> [abandoned]', 3, 4, {'allow-oom'}, giveBack)

end)()
