-- What works when Redis's memory is full (`maxmemory`, `noeviction`): to free some, and to let others see less.
--
-- Redis asks a function's flags before it runs it, and with `allow-oom` looks no further: whatever has that flag must be
-- bounded by itself. It stands at
--   todomate_remove, todomate_unfollow, todomate_dismiss  they take away more than they log, and end when nothing is left
--   todomate_block                                         nobody is to watch because others fill the memory; 10,000 at most
--   todomate_meet                                          the other side of these; it grants nobody more than asked before
--   todomate_logged_in                                     20 addresses an account
--   todomate_begin_session                                 who cannot sign in can hide nothing; 200 sessions an account
--   todomate_hide                                          below
-- and at what ends sessions and accounts. The entry in the log is part of each; a log is trimmed as it grows.
--
-- Other functions do both, grow and hide, and cannot know whether memory is full: Redis tells no function. They have no
-- flag and cost nothing more; whoever is refused by one says the same words to `todomate_hide`, which does them as long as
-- they do nothing but hide.

;(function()
  local OPENNESS = {private = 0, followers = 1, public = 2}

  -- In Redis's words, so that a full memory has one code.
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
      local todo = storedTodo(key, uid, args[1])
      if todo then checkHiding(decodedArgument(args[2]), {visibility = todo.visibility or 'followers'}) end
      return update(key, uid, args)
    end},
    settings = {least = 1, most = 1, body = function(key, uid, args)
      local stored = settingsOf(key)
      checkHiding(decodedArgument(args[1]), {audience = stored.audience, visibility = stored.visibility})
      return settings(key, uid, args)
    end},
    react = {least = 3, most = 4, body = function(key, uid, args)
      if args[3] ~= '' then refuse() end
      return react(key, uid, args)
    end},
  }

  local function hide(key, uid, args)
    local way = HIDES[args[1]]
    if not way or #args - 1 < way.least or #args - 1 > way.most then
      fail('USAGE', 'give update, settings or react, and what todomate_<that> is given')
    end
    return way.body(key, uid, {unpack(args, 2)})
  end

  register('todomate_hide', ' update|settings|react <the words of that function>', 2, 5, {'allow-oom'}, hide)
end)()

-- Whether Redis takes writes: it refuses this one in its own words where it refuses all, be it full, a replica, without the
-- replicas that it needs, or without a disk to write to.
redis.register_function({function_name = 'todomate_writable', flags = {}, callback = function() return 1 end})
