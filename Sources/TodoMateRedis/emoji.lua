-- What is one emoji: Unicode Technical Standard #51, ED-17, with one flag, keycap or joined sequence. Tags may only name
-- the part of a country whose flag it is (CLDR unicode_subdivision_id: 3 to 7 letters and digits).
--
-- The ranges are those of emoji-data.txt in Unicode 17, without ASCII and the letters of flags.

-- Also for settings.lua, board.lua and restore.lua.
local checkedEmoji

;(function()

-- Emoji=Yes.
local EMOJI = [[
  A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2 25AA-25AB 25B6 25C0
  25FB-25FE 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623 2626 262A 262E-262F 2638-263A 2640 2642
  2648-2653 265F-2660 2663 2665-2666 2668 267B 267E-267F 2692-2697 2699 269B-269C 26A0-26A1 26A7 26AA-26AB
  26B0-26B1 26BD-26BE 26C4-26C5 26C8 26CE-26CF 26D1 26D3-26D4 26E9-26EA 26F0-26F5 26F7-26FA 26FD 2702 2705
  2708-270D 270F 2712 2714 2716 271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 2763-2764 2795-2797
  27A1 27B0 27BF 2934-2935 2B05-2B07 2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F004 1F0CF 1F170-1F171 1F17E-1F17F
  1F18E 1F191-1F19A 1F201-1F202 1F21A 1F22F 1F232-1F23A 1F250-1F251 1F300-1F321 1F324-1F393 1F396-1F397
  1F399-1F39B 1F39E-1F3F0 1F3F3-1F3F5 1F3F7-1F4FD 1F4FF-1F53D 1F549-1F54E 1F550-1F567 1F56F-1F570 1F573-1F57A
  1F587 1F58A-1F58D 1F590 1F595-1F596 1F5A4-1F5A5 1F5A8 1F5B1-1F5B2 1F5BC 1F5C2-1F5C4 1F5D1-1F5D3 1F5DC-1F5DE
  1F5E1 1F5E3 1F5E8 1F5EF 1F5F3 1F5FA-1F64F 1F680-1F6C5 1F6CB-1F6D2 1F6D5-1F6D8 1F6DC-1F6E5 1F6E9 1F6EB-1F6EC
  1F6F0 1F6F3-1F6FC 1F7E0-1F7EB 1F7F0 1F90C-1F93A 1F93C-1F945 1F947-1F9FF 1FA70-1FA7C 1FA80-1FA8A 1FA8E-1FAC6
  1FAC8 1FACD-1FADC 1FADF-1FAEA 1FAEF-1FAF8
]]

-- Emoji_Presentation=Yes: pictures also without U+FE0F behind them.
local PICTURES = [[
  231A-231B 23E9-23EC 23F0 23F3 25FD-25FE 2614-2615 2648-2653 267F 2693 26A1 26AA-26AB 26BD-26BE 26C4-26C5 26CE
  26D4 26EA 26F2-26F3 26F5 26FA 26FD 2705 270A-270B 2728 274C 274E 2753-2755 2757 2795-2797 27B0 27BF 2B1B-2B1C
  2B50 2B55 1F004 1F0CF 1F18E 1F191-1F19A 1F201 1F21A 1F22F 1F232-1F236 1F238-1F23A 1F250-1F251 1F300-1F320
  1F32D-1F335 1F337-1F37C 1F37E-1F393 1F3A0-1F3CA 1F3CF-1F3D3 1F3E0-1F3F0 1F3F4 1F3F8-1F43E 1F440 1F442-1F4FC
  1F4FF-1F53D 1F54B-1F54E 1F550-1F567 1F57A 1F595-1F596 1F5A4 1F5FB-1F64F 1F680-1F6C5 1F6CC 1F6D0-1F6D2
  1F6D5-1F6D8 1F6DC-1F6DF 1F6EB-1F6EC 1F6F4-1F6FC 1F7E0-1F7EB 1F7F0 1F90C-1F93A 1F93C-1F945 1F947-1F9FF
  1FA70-1FA7C 1FA80-1FA8A 1FA8E-1FAC6 1FAC8 1FACD-1FADC 1FADF-1FAEA 1FAEF-1FAF8
]]

-- Emoji_Modifier_Base=Yes: those that have a skin tone.
local PEOPLE = [[
  261D 26F9 270A-270D 1F385 1F3C2-1F3C4 1F3C7 1F3CA-1F3CC 1F442-1F443 1F446-1F450 1F466-1F478 1F47C 1F481-1F483
  1F485-1F487 1F48F 1F491 1F4AA 1F574-1F575 1F57A 1F590 1F595-1F596 1F645-1F647 1F64B-1F64F 1F6A3 1F6B4-1F6B6
  1F6C0 1F6CC 1F90C 1F90F 1F918-1F91F 1F926 1F930-1F939 1F93C-1F93E 1F977 1F9B5-1F9B6 1F9B8-1F9B9 1F9BB
  1F9CD-1F9CF 1F9D1-1F9DD 1FAC3-1FAC5 1FAF0-1FAF8
]]

local EMOJI_BYTES = 64

local rangesOf = {}

-- Whether a code point is in a list of ranges, which is parsed at its first use.
local function isIn(text, point)
  if not point then return false end
  if not rangesOf[text] then
    local bounds = {}
    for first, last in text:gmatch('(%x+)%-?(%x*)') do
      bounds[#bounds + 1] = tonumber(first, 16)
      bounds[#bounds + 1] = tonumber(last == '' and first or last, 16)
    end
    rangesOf[text] = bounds
  end
  local bounds = rangesOf[text]
  for index = 1, #bounds, 2 do
    if point >= bounds[index] and point <= bounds[index + 1] then return true end
  end
  return false
end

local function isWithin(point, first, last) return point ~= nil and point >= first and point <= last end

-- The code points of a text that is known to be UTF-8.
local function codePoints(text)
  local points = {}
  for lead, tail in text:gmatch('([%z\1-\127\194-\244])([\128-\191]*)') do
    local point = lead:byte()
    if point >= 240 then point = point - 240 elseif point >= 224 then point = point - 224
    elseif point >= 192 then point = point - 192 end
    for index = 1, #tail do point = point * 64 + tail:byte(index) - 128 end
    points[#points + 1] = point
  end
  return points
end

local function isEmojiSequence(points)
  local count = #points
  local isKey = isWithin(points[1], 0x30, 0x39) or points[1] == 0x23 or points[1] == 0x2A
  if isKey then return count == 3 and points[2] == 0xFE0F and points[3] == 0x20E3 end
  if isWithin(points[1], 0x1F1E6, 0x1F1FF) then return count == 2 and isWithin(points[2], 0x1F1E6, 0x1F1FF) end
  local next, wasJoined = 1, false
  while true do
    local base = points[next]
    if not isIn(EMOJI, base) then return false end
    next = next + 1
    local isPicture = isIn(PICTURES, base)
    if points[next] == 0xFE0F then
      next = next + 1
      isPicture = true
    elseif isWithin(points[next], 0x1F3FB, 0x1F3FF) then
      if not isIn(PEOPLE, base) then return false end
      next = next + 1
      isPicture = true
    end
    if isWithin(points[next], 0xE0020, 0xE007E) then
      -- Tags are invisible: on any picture, they could carry hidden text.
      local first = next
      while isWithin(points[next], 0xE0030, 0xE0039) or isWithin(points[next], 0xE0061, 0xE007A) do next = next + 1 end
      if base ~= 0x1F3F4 or not isWithin(next - first, 3, 7) or points[next] ~= 0xE007F then return false end
      next = next + 1
    end
    -- What is joined to another picture becomes a picture with it.
    local isJoined = points[next] == 0x200D
    if not isPicture and not isJoined and not wasJoined then return false end
    if next > count then return true end
    if not isJoined then return false end
    next, wasJoined = next + 1, true
  end
end

-- The emoji in a text, as it is counted; `name` is what it is for.
checkedEmoji = function(name, text)
  local isShort = type(text) == 'string' and #text <= EMOJI_BYTES
  local points = isShort and characters(text) and codePoints(text)
  if not points or not isEmojiSequence(points) then
    fail('INVALID', name .. ' must be one emoji, such as \240\159\145\141')
  end
  -- U+FE0F adds nothing to what is a picture without it: both count as the same.
  local isRedundant = #points == 2 and points[2] == 0xFE0F and isIn(PICTURES, points[1])
  return isRedundant and text:sub(1, -4) or text
end

end)()
