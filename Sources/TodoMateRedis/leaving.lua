-- Accounts whose owners have decided to delete them: gone to everybody else at once, and for good after a time in which the
-- owner may still decide to keep the account.
--
--   todomate:{uid}:profile  hash  leaving: when the account is to be deleted, in seconds since 1970; leavingAudience: the
--                                 audience that it had, and gets back; leavingTold: once all others' sides know of it;
--                                 returning: while they do not know yet that the owner keeps it
--
-- Meanwhile the audience is private, so that whatever shows something to others shows nothing, and each viewer's stream hears of it
-- as of any other change of the audience. What others have of the pair they let go of when the two sides meet (relations.lua).
-- Every entry that the log gets meanwhile says `leaving`, by which writes find out that there are to be none.
--
-- `leaving` alone decides: whoever deletes the account asks todomate_delete_leaving, which looks at it and at the clock in one step.

;(function()

local SECONDS_MOST = 31536000

-- Changes the audience; the message says nothing about one that stays.
local function commitAudience(key, uid, audience, leaving)
  local version, moment, bytes, beginning = nextChange(key, true)
  local settings = settingsOf(key)
  local before = settings.audience
  settings.audience = audience
  local was = before ~= audience and ',"was":{"audience":"' .. before .. '"}' or ''
  commit(key, 'settings', settingsJSON(uid, settings), was, version, moment, bytes, beginning, nil, nil, nil, nil, leaving)
  call('HSET', key .. ':profile', 'audience', audience)
end

--[[
  todomate_leave: has an account deleted after some time, and hides it from others at once. Said again, it changes nothing.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :log :feed :events, publishes on :changes
  args[1]  after how many seconds
  args[2]  the generation whose password was checked; optional, or an empty text for none
  args[3]  the id of a session that goes on; optional
  answer   when it is to be deleted, in seconds since 1970
  errors   INVALID, NOT_FOUND, CONFLICT
]]
local function leave(key, uid, args)
  local length = account.checkSeconds(args[1], 0, SECONDS_MOST)
  -- The owner alone has to be let in; an operator decides about suspended accounts as well.
  if args[2] and args[2] ~= '' then account.checkGeneration(key, uid, args[2]) else account.check(key, uid) end
  local leaving = call('HGET', key .. ':profile', 'leaving')
  if leaving then return leaving end
  if args[3] and call('HEXISTS', key .. ':sessions', args[3]) == 0 then account.noSession(uid) end
  local audience = settingsOf(key).audience
  leaving = wholeDigits(account.seconds() + length)
  commitAudience(key, uid, 'private', leaving)
  call('HSET', key .. ':profile', 'leaving', leaving, 'leavingAudience', audience)
  call('HDEL', key .. ':profile', 'leavingTold', 'returning')
  -- The worker of the one that goes on is told to read anew what it may do.
  if not args[3] then
    account.endAll(key, account.nextGeneration(key))
  elseif #account.endOthers(key, uid, args[3]) == 0 then
    account.publishEnd(key, call('HGET', key .. ':profile', 'generation') or '0', {})
  end
  noteEvent(key, 'deletion-begun')
  return leaving
end

--[[
  todomate_stay: keeps an account that was to be deleted, as it was before.

  KEYS[1]  todomate:{uid}; writes :profile :log :feed :events, publishes on :changes
  answer   1
  errors   NOT_FOUND
]]
local function stay(key, uid)
  local leaving, audience, generation =
    unpack(call('HMGET', key .. ':profile', 'leaving', 'leavingAudience', 'generation'))
  if not leaving then fail('NOT_FOUND', 'the account of ' .. uid .. ' is not to be deleted') end
  commitAudience(key, uid, VISIBILITIES[audience] and audience or 'followers')
  call('HDEL', key .. ':profile', 'leaving', 'leavingAudience', 'leavingTold')
  call('HSET', key .. ':profile', 'returning', '1')
  account.publishEnd(key, generation or '0', {})
  noteEvent(key, 'deletion-withdrawn')
  return 1
end

--[[
  todomate_leaving: reads whether an account is to be deleted, and what is left to do about that.

  KEYS[1]  todomate:{uid}; reads :profile
  answer   when it is to be deleted in seconds since 1970, or an empty text; then `told` once others' sides know of that,
           `returning` while they do not know yet that it is kept, `purging` once the deletion has begun, or an empty text
]]
local function leaving(key)
  local due, told, returning, purging =
    unpack(call('HMGET', key .. ':profile', 'leaving', 'leavingTold', 'returning', 'purging'))
  return {due or '', purging and 'purging' or due and told and 'told' or not due and returning and 'returning' or ''}
end

--[[
  todomate_told: notes that all others' sides know whether an account is to be deleted.

  KEYS[1]  todomate:{uid}; writes :profile
  args[1]  what todomate_leaving answered first before they were told
  answer   1, or 0 where that is no longer so
]]
local function told(key, _, args)
  local due = call('HGET', key .. ':profile', 'leaving') or ''
  if due ~= args[1] then return 0 end
  if due == '' then return call('HDEL', key .. ':profile', 'returning') end
  call('HSET', key .. ':profile', 'leavingTold', '1')
  return 1
end

--[[
  todomate_delete_leaving: removes an account whose time is over and marks all data for deletion, as todomate_remove_account
  does with `purge`; the next calls of todomate_purge delete them.

  KEYS[1]  todomate:{uid}; writes :profile :sessions :invitations :identities :addresses :events :factor :operations :visits,
           publishes on :changes
  answer   1
  errors   CONFLICT
]]
local function deleteLeaving(key, uid)
  local due = tonumber(call('HGET', key .. ':profile', 'leaving') or '')
  if not due then fail('CONFLICT', 'the account of ' .. uid .. ' is not to be deleted') end
  if due > account.seconds() then fail('CONFLICT', 'the owner of ' .. uid .. ' may still decide to keep the account') end
  account.remove(key, uid, {'purge'})
  return 1
end

register('todomate_leave', ' <seconds> [<generation> [<session id>]]', 1, 3, {'allow-oom'}, leave)
register('todomate_stay', '', 0, 0, {'allow-oom'}, stay)
register('todomate_leaving', '', 0, 0, {'no-writes'}, leaving)
register('todomate_told', ' <when it is to be deleted, or nothing>', 1, 1, {'allow-oom'}, told)
register('todomate_delete_leaving', '', 0, 0, {'allow-oom'}, deleteLeaving)

end)()
