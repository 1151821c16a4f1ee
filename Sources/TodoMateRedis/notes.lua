-- Notes of days: what somebody writes about a day, one text a day.
--
-- A note is a todo of the id note-of-<date>, on that day, whose detail is what it says. So it is logged, published, listed, shared, exported
-- and weighed as all todos are, one rule says who may see it, and a worker or client of an older version shows it as a todo. It is never
-- open and never finished, so that no count of those has it; todomate.lua says what else is fixed.
--
-- A new one is private, whatever new todos are: a diary that others have read cannot be made unread.

;(function()

local FIELDS = {detail = true, visibility = true}

local function checkedFields(text)
  local given = decodedArgument(text, 'the note')
  for field in pairs(given) do
    if not FIELDS[field] then
      fail('INVALID', "'" .. tostring(field):gsub('[^%w_-]', '?'):sub(1, 40) .. "' is no field of a note: use detail and visibility")
    end
  end
  if given.detail == nil and given.visibility == nil then fail('INVALID', 'give detail, visibility or both') end
  if given.detail ~= nil then checkDetail(given.detail) end
  if given.visibility ~= nil then checkVisibility(given.visibility) end
  return given
end

--[[
  todomate_set_note: writes the note of a day, changes who may see it, or takes it away.

  KEYS[1]  todomate:{uid}; writes :todos :days :open :reactions:<id> :log :feed, reads :profile
  args[1]  the day, such as 2026-11-20
  args[2]  JSON with detail, what it says, which takes it away where that is empty or only spaces, and visibility; of a note that is there,
           what is left out stays; a new one is private unless this says otherwise
  args[3]  <revision>-<micros> that the note must be at, or a revision alone, 0 where it must not be there yet; optional
  answer   the `added`, `modified` or `removed` message, or `unchanged`
  errors   INVALID, NOT_FOUND, CONFLICT, FULL
]]
local function setNote(key, uid, args)
  local date, given = args[1], checkedFields(args[2])
  checkDate(date)
  local id = NOTE .. date
  if given.detail and isBlankNote(given.detail) then return remove(key, uid, {id, args[3]}) end
  if expectedTodo(key, uid, id, args[3], given.detail ~= nil) then return update(key, uid, {id, args[2], args[3]}) end
  return add(key, uid, {
    '{"id":"' .. id .. '","date":"' .. date .. '","content":"' .. NOTE_CONTENT .. '","detail":"' .. escaped(given.detail)
      .. '","visibility":"' .. (given.visibility or 'private') .. '"}',
  })
end

register('todomate_set_note', ' <date> <json> [<expected revision>-<micros>]', 2, 3, {}, setNote)

end)()
