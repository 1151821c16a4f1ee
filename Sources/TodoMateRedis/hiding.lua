-- What works when Redis's memory is full (`maxmemory`, `noeviction`): to free some, and to let others see less.
--
-- Redis checks a function's flags before it runs it, and with `allow-oom` nothing more: whatever has that flag must be
-- bounded by itself. It stands at
--   todomate_remove         takes away more than it logs, and ends when nothing is left
--   todomate_unfollow       likewise
--   todomate_dismiss        likewise
--   todomate_block          must not wait for memory that others fill; 10,000 users at most
--   todomate_meet           is the other side of these, and grants no more than was asked before
--   todomate_logged_in      is needed to sign in, and so to remove; 20 addresses an account
--   todomate_begin_session  likewise; 200 sessions an account
--   todomate_reset_password takes the place of a hash, and ends a link
--   todomate_try_code       is needed to sign in; a few numbers an account
--   todomate_use_recovery   likewise; takes a code away
--   todomate_return_invitation  takes a name out of an invitation; todomate_settle_invitation adds a word to it
--   todomate_leave          hides all of an account, once; todomate_stay takes that back
--   todomate_told           notes in a word that others know of it
--   todomate_unlink_identity    takes an identity away
--   todomate_release_identity   likewise
--   todomate_turn_off_factor    takes a second factor away
--   todomate_remove_mail        takes an address away
--   todomate_suspend        must not wait for memory that who is suspended fills; todomate_resume takes that back
--   todomate_limit          likewise; five numbers an account
--   todomate_set_role       takes a role away, or gives it in a word
--   todomate_keep_answer    adds one text to one of 1,000 operations
--   todomate_hide           see below
-- and at what ends sessions, invitations and accounts, or gives a new password. The entry in the log is part of each; a log is
-- trimmed as it grows, and so is what happened to an account.
--
-- Other functions can both grow and hide, and cannot know whether memory is full. They have no flag and cost nothing more;
-- whoever is refused repeats the same arguments to `todomate_hide`, which runs them if all they do is hide.

;(function()

-- In Redis's words, so that full memory has one code.
local function refuse()
  error("OOM command not allowed when used memory > 'maxmemory': only what removes or hides is done", 0)
end

-- Refuses whatever opens something, or changes anything besides.
local function checkHiding(given, before)
  for field, value in pairs(given) do
    if not OPENNESS[before[field]] or not OPENNESS[value] or OPENNESS[value] > OPENNESS[before[field]] then refuse() end
  end
end

local HIDES = {
  update = {least = 2, most = 3, body = function(key, uid, args)
    checkID(args[1])
    -- One of a routine's day that is not there yet would be made.
    local todo = storedTodo(key, uid, args[1]) or failNotFound(uid, args[1])
    checkHiding(decodedArgument(args[2]), {visibility = todo.visibility or 'followers'})
    return update(key, uid, args)
  end},
  settings = {least = 1, most = 1, body = function(key, uid, args)
    local stored = settingsOf(key)
    checkHiding(decodedArgument(args[1]), stored)
    return settings(key, uid, args)
  end},
  react = {least = 3, most = 4, body = function(key, uid, args)
    if args[3] ~= '' then refuse() end
    return react(key, uid, args)
  end},
  spread_goal = {least = 3, most = 4, body = function(key, uid, args)
    if args[2] ~= 'private' then refuse() end
    return spreadGoal(key, uid, args)
  end},
}

-- How a function is run when memory is full; nothing for one that there is not. What was done before under an operation id is answered
-- all the same.
local function wayWhenFull(name)
  local way = HIDES[name] or wayOf(name)
  if not way or HIDES[name] or way.isForFull then return way end
  return {least = way.least, most = way.most, body = refuse}
end

-- Under an operation id, which is remembered then as well, what hides, and what runs when memory is full anyway.
HIDES.once = {least = 4, most = 1004, body = function(key, uid, args)
  return once(key, uid, args, wayWhenFull)
end}

-- By a device likewise.
HIDES.by = {least = 3, most = 1006, body = function(key, uid, args)
  return writeBy(key, uid, args, wayWhenFull)
end}

--[[
  todomate_hide: runs an update, settings, react or spread_goal that does nothing but hide, even when memory is full; also under an
  operation id or by a device, and then what runs when memory is full by itself, too.

  KEYS[1]  todomate:{uid}; reads and writes what that function does
  args[1]  `update`, `settings`, `react`, `spread_goal`, `once` or `by`
  args[2…] the arguments of that function
  answer   that function's
  errors   USAGE, that function's, and OOM where it does more than hide
]]
local function hide(key, uid, args)
  local way = HIDES[args[1]]
  if not way or #args - 1 < way.least or #args - 1 > way.most then
    fail('USAGE', 'give update, settings, react, spread_goal, once or by, and what todomate_<that> is given')
  end
  return way.body(key, uid, {unpack(args, 2)})
end

register('todomate_hide', ' update|settings|react|spread_goal|once|by <the words of that function>', 2, 1007, {'allow-oom'}, hide)

end)()

--[[
  todomate_writable: does nothing, where Redis takes writes; takes no key and no arguments. Redis refuses it like any write
  when it is full, a replica, without the replicas that it needs, or without a disk to write to.

  answer   1
]]
redis.register_function({function_name = 'todomate_writable', flags = {}, callback = function() return 1 end})
