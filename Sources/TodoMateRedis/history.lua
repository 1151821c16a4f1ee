-- What became of a todo, as far back as the log goes: for its owner, who may know what it was while nobody else could see it.

;(function()

local HISTORY_BYTES = 131072      -- more would hold Redis for milliseconds
local HISTORY_BATCH = 100

-- The first change that the log has, and how far back that is.
local function reachOf(key)
  local oldest = call('XRANGE', logKey, '-', '+', 'COUNT', '1')[1]
  if not oldest then return '', hasData(key) and 'lost' or 'whole' end
  if oldest[2][1] == 'beginning' then return oldest[1], 'lost' end
  return oldest[1], find(oldest[1], '^1%-') and 'whole' or 'trimmed'
end

-- By which device an entry of the log was written, or an empty text.
local function deviceIn(fields)
  for index = 5, #fields, 2 do
    if fields[index] == 'device' then return fields[index + 1] end
  end
  return ''
end

--[[
  todomate_history: lists a part of what the log says became of a todo, newest first, or of which todos were removed and are not
  there now. The log keeps the last 1,000 changes or so, and the owner's alone are for nobody else.

  KEYS[1]  todomate:{uid}; reads :log :todos, and without a log whether there are other data
  args[1]  the todo's id, or nothing for the removals
  args[2]  the change to go on before, which the log must have; optional, or nothing
  args[3]  `devices` to have after each message by which device that was written, or nothing; optional
  answer   the todo as it is now, or nothing; the first change that the log has, or nothing; `whole` where that is the user's first,
           `trimmed` where older ones were dropped, `lost` where a log before it was lost; what the next part is to be asked for with,
           empty at the end; then the messages
  errors   USAGE, INVALID, GONE
]]
local function history(key, _, args)
  local id, last, newest = args[1], args[2] or '', '+'
  if id ~= '' then checkID(id) end
  if args[3] and args[3] ~= '' and args[3] ~= 'devices' then fail('USAGE', 'give devices, or nothing, behind the change') end
  if last ~= '' then
    local version, micros = match(last, '^(%d+)%-(%d+)$')
    if not version or #version > 16 or #micros > 16 then
      fail('USAGE', 'give the id of a todo, or nothing for those that were removed; for what was before a change, also its id, such '
        .. 'as 57-1763677123456789')
    end
    if not call('XRANGE', logKey, last, last)[1] then
      fail('GONE', 'the log does not have the change ' .. last .. ', or no longer: begin without it')
    end
    newest = '(' .. last
  end
  local answer = {id ~= '' and call('HGET', todosKey, id) or ''}
  answer[2], answer[3] = reachOf(key)
  answer[4] = ''
  local seen, bytes, read, batch = {}, 0, 0, 2

  local function isWanted(text)
    local kind, of = match(text, '^{"id":"[0-9-]+","type":"([a-z]+)","todo":{"id":"([a-z0-9A-Z_-]+)"')
    if id ~= '' or not kind then return of == id end
    if kind ~= 'removed' or seen[of] then return false end
    -- Of several removals the last one counts.
    seen[of] = true
    return call('HEXISTS', todosKey, of) == 0
  end

  while true do
    local entries = call('XREVRANGE', logKey, newest, '-', 'COUNT', batch)
    for _, entry in ipairs(entries) do
      local text = entry[2][2]
      bytes, read = bytes + #text, read + 1
      if isWanted(text) then
        answer[#answer + 1] = text
        if args[3] == 'devices' then answer[#answer + 1] = deviceIn(entry[2]) end
      end
    end
    if #entries < batch then return answer end
    local place = entries[#entries][1]
    newest = '(' .. place
    if bytes >= HISTORY_BYTES then
      answer[4] = place
      return answer
    end
    -- As many as are likely to fit, by what those before weighed.
    batch = math.max(1, math.min(HISTORY_BATCH, 4 * batch, math.floor((HISTORY_BYTES - bytes) * read / math.max(bytes, 1))))
  end
end

register('todomate_history', ' <todo id, or nothing for removals> [<change id, or nothing> [devices]]', 1, 3, {'no-writes'}, history)

end)()
