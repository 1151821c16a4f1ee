-- By which device something was written. A function that is run by `todomate_by` logs each of its changes with a field `device`, for
-- the owner's histories alone: no message tells it.

-- Runs a function in the name of a device; also for hiding.lua. `wayOf(name)` answers as it does for `once`.
local writeBy

;(function()

-- The functions that may be run so, by themselves or under an operation id: by which a person changes what is theirs, or reacts.
local SIGNED = {
  add = true, update = true, remove = true, import = true, settings = true, react = true, set_goal = true, spread_goal = true,
  remove_goal = true, set_routines = true, skip_day = true, split_routine = true, set_note = true,
}

function writeBy(key, uid, args, wayOf)
  local name, words = args[2], {unpack(args, 3)}
  local way = wayOf(name)
  if not SIGNED[name == 'once' and words[3] or name] or not way or #words < way.least or #words > way.most then
    fail('USAGE', 'give the name of a device, and a function that logs it, such as add, with what todomate_<that> is given')
  end
  if #args[1] > 64 or not find(args[1], '^[ -~]+$') then
    fail('INVALID', 'the name of a device must be 1 to 64 printable characters of ASCII, such as Firefox on Linux')
  end
  device = args[1]
  return way.body(key, uid, words)
end

--[[
  todomate_by: runs a function, and logs what it changes with the device by which it is called. Of another person's reaction none is
  logged.

  KEYS[1]  todomate:{uid}; reads and writes what that function does
  args[1]  the device, 1 to 64 printable characters of ASCII
  args[2]  the function without todomate_: add, update, remove, import, settings, react, set_goal, spread_goal, remove_goal,
           set_routines, skip_day, split_routine, set_note, or once with one of these
  args[3…] the arguments of that function
  answer   that function's
  errors   USAGE, INVALID, that function's
]]
local function runBy(key, uid, args)
  return writeBy(key, uid, args, wayOf)
end

register('todomate_by', ' <device> <function> <its words> ...', 3, 1006, {}, runBy)

end)()
