--[[
Latchkey SDK for Lua 5.1 to 5.4 and LuaJIT. One file. MIT license.

  local latchkey = require("latchkey")
  local client = latchkey.open({
    addresses = { "https://keys.example" },
    game = "PUBG MOBILE",
    pins = pins, -- { { kid =, publicKey = } }: active and next of /.well-known/latchkey-keys
    store = latchkey.fileStore("save"),
    transport = post, -- your function: a request in, a response out
  })
  -- At the start, and every minute while playing.
  function play(key)
    local verdict = client:check(key)
    if verdict.state == "PLAY" then
      run({ isOffline = false })
    elseif verdict.state == "PLAY_OFFLINE" then
      run({ isOffline = verdict.code ~= "NOT_ASKED" })
    elseif verdict.state == "REFUSED" then
      stop(verdict.message) -- says why; with UPDATE_REQUIRED, show the update too
      -- With DEVICE_LIMIT_REACHED: client:release(ref) of the player's choice, then play(key).
      if verdict.release and verdict.release.isAllowed then offer(verdict.release.devices) end
    else
      stop(verdict.message or "The server cannot be reached.", "Try again")
    end
  end

Lua has no Ed25519, so this needs luasodium, a maintained binding of libsodium for Lua and LuaJIT (luarocks install
luasodium). A game whose host has Ed25519 already can pass `system = { verify =, sha512 =, randomBytes = }` instead. Lua
has no HTTP and no threads either: the transport is a function of yours, and so is `system.background`. Without that, a
check refreshes a lease before it returns, at most once a minute.

The device id is made of MachineGuid on Windows, and elsewhere of a random id in your store. A game on Android can pass
`deviceId = latchkey.deviceId(game, androidId)`, which outlasts a reinstall. A game that is out keeps its ids: `open`
prefers a source that it finds in the store.
]]

local latchkey = { version = "1.0.0" }

local secondsToConnect = 4
local secondsToRespond = 6
local secondsForAllAddresses = 10
local secondsToWaitMax = 60
local secondsBetweenRefreshes = 60
-- How far the clock may be behind or past the lease.
local secondsOfTolerance = 300

local proofsItem = "latchkey.proofs"
local sourceItem = "latchkey.device"

-- The code of PLAY_OFFLINE before a first attempt has ended.
local notAsked = "NOT_ASKED"

-- JSON, as much as the calls need -------------------------------------------------------------------------------------

-- Stands for null, because a table cannot hold nil.
local null = {}
local depthMax = 50

local function utf8Of(code)
  if code < 0x80 then return string.char(code) end
  local more = code < 0x800 and 1 or code < 0x10000 and 2 or 3
  local bytes = {}
  for left = more, 1, -1 do
    bytes[left + 1] = string.char(0x80 + code % 0x40)
    code = math.floor(code / 0x40)
  end
  bytes[1] = string.char(({ 0xc0, 0xe0, 0xf0 })[more] + code)
  return table.concat(bytes)
end

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- After the first quotation mark. Returns the text and the place after it.
local function readString(json, at)
  local parts = {}
  while true do
    local plain, mark, next = json:match('^([^"\\]*)(["\\])()', at)
    assert(plain, "not JSON")
    parts[#parts + 1] = plain
    if mark == '"' then return table.concat(parts), next end
    local escaped = json:sub(next, next)
    at = next + 1
    if escaped == "u" then
      local code = assert(tonumber(json:match("^%x%x%x%x", at), 16), "not JSON")
      local second = json:match("^\\u([dD][c-fC-F]%x%x)", at + 4)
      if code >= 0xd800 and code < 0xdc00 and second then
        code = 0x10000 + (code - 0xd800) * 0x400 + tonumber(second, 16) - 0xdc00
        at = at + 6
      end
      parts[#parts + 1] = utf8Of(code)
      at = at + 4
    else
      parts[#parts + 1] = escapes[escaped] or escaped
    end
  end
end

local readValue

-- The members of an object or list, up to `close`.
local function readMembers(json, at, depth, close, readMember)
  local first = json:match("^[ \t\r\n]*" .. close .. "()", at)
  if first then return first end
  while true do
    at = readMember(at)
    local mark, next = json:match("^[ \t\r\n]*([,%]}])()", at)
    assert(mark == "," or mark == close:sub(-1), "not JSON")
    at = next
    if mark ~= "," then return at end
  end
end

function readValue(json, at, depth)
  assert(depth <= depthMax, "not JSON")
  at = json:match("^[ \t\r\n]*()", at)
  local first = json:sub(at, at)
  if first == '"' then return readString(json, at + 1) end
  if first == "{" then
    local fields = {}
    return fields, readMembers(json, at + 1, depth, "}", function(place)
      local name, value
      name, place = readString(json, assert(json:match('^[ \t\r\n]*"()', place), "not JSON"))
      value, place = readValue(json, assert(json:match("^[ \t\r\n]*:()", place), "not JSON"), depth + 1)
      fields[name] = value
      return place
    end)
  end
  if first == "[" then
    local values = {}
    return values, readMembers(json, at + 1, depth, "%]", function(place)
      values[#values + 1], place = readValue(json, place, depth + 1)
      return place
    end)
  end
  local word, next = json:match("^([%w+.-]+)()", at)
  if word == "null" then return null, next end
  if word == "true" or word == "false" then return word == "true", next end
  return assert(tonumber(word and word:match("^%-?%d[%d.eE+-]*$")), "not JSON"), next
end

-- Nil for invalid JSON.
local function readJson(json)
  local isJson, value, at = pcall(readValue, json, 1, 0)
  if isJson and json:match("^[ \t\r\n]*()", at) == #json + 1 then return value end
  return nil
end

local function quoted(text)
  local escaped = text:gsub('[%z\1-\31"\\]', function(each)
    return (each == '"' or each == "\\") and "\\" .. each or string.format("\\u%04x", each:byte())
  end)
  return '"' .. escaped .. '"'
end

-- Leaves out nil fields.
local function writeJson(names, fields)
  local written = {}
  for _, name in ipairs(names) do
    if fields[name] ~= nil then written[#written + 1] = quoted(name) .. ":" .. quoted(fields[name]) end
  end
  return "{" .. table.concat(written, ",") .. "}"
end

latchkey.readJson = readJson
latchkey.null = null

-- Texts ---------------------------------------------------------------------------------------------------------------

local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

local function toBase64Url(bytes)
  local text = {}
  for at = 1, #bytes, 3 do
    local first, second, third = bytes:byte(at, at + 2)
    local bits = first * 65536 + (second or 0) * 256 + (third or 0)
    for place = 0, third and 3 or second and 2 or 1 do
      local digit = math.floor(bits / 64 ^ (3 - place)) % 64
      text[#text + 1] = digits:sub(digit + 1, digit + 1)
    end
  end
  return table.concat(text)
end

-- Nil for a text that is not base64url without padding.
local function fromBase64Url(text)
  if not text:match("^[A-Za-z0-9_%-]*$") or #text % 4 == 1 then return nil end
  local bytes = {}
  local bits = 0
  for at = 1, #text do
    bits = (bits * 64 + digits:find(text:sub(at, at), 1, true) - 1) % 16777216
    local place = (at - 1) % 4
    if place > 0 then bytes[#bytes + 1] = string.char(math.floor(bits / 4 ^ (3 - place)) % 256) end
  end
  return table.concat(bytes)
end

local function textOf(value)
  return type(value) == "string" and value or nil
end

local placeholders = {}
for id in ("null undefined unknown none n/a 02:00:00:00:00:00 9774d56d682e549c"):gmatch("%S+") do
  placeholders[id] = true
end

-- Whether this is what a platform returns for a device that it cannot tell from others.
local function isPlaceholder(id)
  local plain = id:match("^%s*(.-)%s*$"):gsub("[A-Z]", string.lower)
  if placeholders[plain] then return true end
  plain = plain:gsub("[-:]", "")
  local first = plain:match("^[^\128-\191]?[\128-\191]*")
  return plain == "" or plain == first:rep(math.floor(#plain / #first))
end

-- The platform --------------------------------------------------------------------------------------------------------

local hasSodium, sodium = pcall(require, "luasodium")

-- What the SDK needs of its platform. Games replace what their engine does better.
local platform = {
  -- The clock, in Unix seconds.
  now = os.time,
  -- Seconds since any fixed point, whatever happens to the clock. Lua has only the clock: pass your engine's timer.
  uptime = os.time,
  -- From 0 up to but not including 1.
  random = math.random,
  -- Runs a task without waiting for it.
  background = function(task) pcall(task) end,
  randomBytes = hasSodium and sodium.randombytes_buf,
  sha512 = hasSodium and sodium.crypto_hash_sha512,
  verify = hasSodium and function(publicKey, message, signature)
    return sodium.crypto_sign_verify_detached(signature, message, publicKey)
  end,
}

-- Keeps each text in a file of a folder, which must exist. Any table with these three functions is a store. Errors of
-- theirs are ignored, so a full phone can play.
function latchkey.fileStore(folder)
  return {
    get = function(name)
      local file = io.open(folder .. "/" .. name, "rb")
      if not file then return nil end
      local text = file:read("*a")
      file:close()
      return text
    end,
    set = function(name, text)
      local path = folder .. "/" .. name
      local file = assert(io.open(path .. ".new", "wb"))
      local isWritten = file:write(text)
      -- What is buffered is written now, or is not because the disk is full.
      assert(file:close() and isWritten, "Cannot write " .. path)
      os.remove(path)
      assert(os.rename(path .. ".new", path))
    end,
    remove = function(name) os.remove(folder .. "/" .. name) end,
  }
end

-- Proofs --------------------------------------------------------------------------------------------------------------

-- What ties a proof to a game, key and device, as they are sent.
function latchkey.bindOf(game, key, deviceId, sha512)
  local plainKey = key:match("^[ \t\r\n]*(.-)[ \t\r\n]*$"):gsub("[a-z]", string.upper)
  local hash = (sha512 or platform.sha512)("lk1\n" .. game .. "\n" .. plainKey .. "\n" .. deviceId)
  return toBase64Url(hash:sub(1, 32))
end

local function isWhole(value)
  return type(value) == "number" and value == math.floor(value)
end

local function isTime(value)
  return value == null or isWhole(value)
end

-- The payload of a proof, or nil if it was not signed by a pinned key or is about another bind or nonce. The signature
-- comes first: nothing unsigned is parsed. A stored proof is read without a nonce.
function latchkey.readProof(pins, proof, bind, nonce, verify)
  local kid, content, signed = (textOf(proof) or ""):match("^lk1%.([^.]*)%.([^.]*)%.([^.]*)$")
  if not kid then return nil end
  local publicKey
  for _, pin in ipairs(pins) do
    if pin.kid == kid then publicKey = fromBase64Url(pin.publicKey) end
  end
  local bytes, signature = fromBase64Url(content), fromBase64Url(signed)
  if not publicKey or not bytes or not signature or #signature ~= 64 then return nil end
  if not (verify or platform.verify)(publicKey, "lk1." .. kid .. "." .. content, signature) then return nil end

  local payload = readJson(bytes)
  if type(payload) ~= "table" or type(payload.valid) ~= "boolean" or not textOf(payload.code) then return nil end
  if not isWhole(payload.iat) or not isTime(payload.exp) or not isTime(payload["until"]) then return nil end
  if payload.bind ~= bind or (nonce and payload.n ~= nonce) then return nil end
  local function known(value) return value ~= null and value or nil end
  return {
    bind = bind,
    valid = payload.valid,
    code = payload.code,
    iat = payload.iat,
    exp = known(payload.exp),
    ["until"] = known(payload["until"]),
  }
end

-- A device id from what the platform knows a device by, which is not sent. An error if that is empty or a placeholder
-- that many devices share.
function latchkey.deviceId(game, source, sha512)
  if isPlaceholder(source) then error("This source of a device id is a placeholder that many devices share.") end
  local hash = (sha512 or platform.sha512)("latchkey-device\n" .. game .. "\n" .. source)
  return "d1." .. toBase64Url(hash:sub(1, 16))
end

-- Windows' id of this installation, or nil elsewhere.
local function machineGuid()
  if package.config:sub(1, 1) ~= "\\" or not io.popen then return nil end
  local query = io.popen("reg query HKLM\\SOFTWARE\\Microsoft\\Cryptography /v MachineGuid /reg:64 2>nul")
  local guid = query and query:read("*a"):match("MachineGuid%s+REG_SZ%s+(%S+)")
  if query then query:close() end
  return guid and not isPlaceholder(guid) and guid or nil
end

-- A stored source comes first, then the id that the game passes, then MachineGuid or a random source.
local function deviceIdInUse(options, system)
  local game, store = options.game, options.store
  local isRead, known = pcall(store.get, sourceItem)
  if isRead and known and not isPlaceholder(known) then return latchkey.deviceId(game, known, system.sha512) end
  if options.deviceId then return options.deviceId end
  local guid = machineGuid()
  if guid then return latchkey.deviceId(game, guid, system.sha512) end
  local fresh = toBase64Url(system.randomBytes(16))
  -- A source that cannot be read is not replaced.
  if isRead then pcall(store.set, sourceItem, fresh) end
  return latchkey.deviceId(game, fresh, system.sha512)
end

-- The client ----------------------------------------------------------------------------------------------------------

local Client = {}
Client.__index = Client

local function newWait() return { failures = 0, untilUptime = -math.huge } end

-- Reads what `save` wrote: a line for each proof.
local function readProofs(text)
  local proofs = {}
  for line in (text or ""):gmatch("[^\n]+") do
    local bind, seen, proof = line:match("^(%S+) (%d+) (%S+)$")
    if bind and #seen < 16 then proofs[bind] = { proof = proof, seen = tonumber(seen) } end
  end
  return proofs
end

--[[
Errors where the pins, the device id or the platform are unusable. Options:
  addresses: such as https://keys.example; they are tried in this order.
  game: never change it, not even when the game is renamed: device ids and stored proofs depend on it.
  pins: { { kid =, publicKey = } }, the signing keys that were active and next when this build was made.
  store: get(name), set(name, text), remove(name); see fileStore.
  transport: function(request) with url, body, secondsToConnect, secondsToRespond and seconds (for everything). It POSTs
    JSON, follows no redirect, and returns { status =, body =, retryAfter = }, with the header Retry-After in seconds.
    Status 0 is no response.
  deviceId: made with latchkey.deviceId(game, source). Left out, it is made of Windows' MachineGuid or of a stored
    random id. A source that is already stored stays in use, so that a build that begins to pass one takes no second
    slot.
  deviceName, version (of the game), lang (of messages, such as pt-BR).
  system: parts of the platform.
]]
function latchkey.open(options)
  local system = {}
  for name, part in pairs(platform) do system[name] = part end
  for name, part in pairs(options.system or {}) do system[name] = part end
  if not system.verify or not system.sha512 or not system.randomBytes then
    error("Install luasodium, or pass system = { verify =, sha512 =, randomBytes = }.")
  end
  for _, pin in ipairs(options.pins) do
    if #(fromBase64Url(pin.publicKey) or "") ~= 32 then
      error("The public key " .. pin.kid .. " is not 32 bytes of base64url.")
    end
  end
  local id = deviceIdInUse(options, system)
  if isPlaceholder(id) then error("This device id is a placeholder that many devices share.") end
  local isRead, proofs = pcall(options.store.get, proofsItem)
  return setmetatable({
    options = options,
    system = system,
    deviceId = id,
    key = nil,
    -- By bind.
    proofs = readProofs(isRead and proofs or nil),
    -- When each key was last asked, whether the last attempt brought a valid proof, and that attempt's code, by bind.
    attempts = {},
    -- After no response, for every key, and after a 4xx, for the key that was asked, by bind: failed attempts since the
    -- last that did not fail, until when (in uptime) no request is sent, and why.
    outage = newWait(),
    refusals = {},
  }, Client)
end

local function verdictOf(state, payload)
  return { state = state, code = payload.code, ["until"] = payload["until"] }
end

local function offline(payload, attempt)
  local code = notAsked
  if attempt then code = attempt.code end
  return { state = "PLAY_OFFLINE", code = code, ["until"] = payload["until"] }
end

local function fieldsOf(response)
  local body = response and readJson(response.body or "")
  return type(body) == "table" and body or {}
end

-- A 4xx with a code is a response: another address would say the same. Anything else, such as the page of a proxy that
-- blocks the address, is as good as none.
local function isFinal(response)
  local said = fieldsOf(response)
  if response.status == 200 then return textOf(said.message) ~= nil end
  return response.status >= 400 and response.status < 500 and textOf(said.code) ~= nil
end

local function releaseOf(said)
  if type(said) ~= "table" or said == null then return nil end
  local release = { isAllowed = said.isAllowed == true, allowedAt = textOf(said.allowedAt), devices = {} }
  for index, each in ipairs(type(said.devices) == "table" and said.devices or {}) do
    release.devices[index] = {
      ref = textOf(each.ref),
      name = textOf(each.name),
      firstConnected = textOf(each.firstConnected),
      lastSeen = textOf(each.lastSeen),
    }
  end
  return release
end

--[[
Whether the key is good on this device. While a lease is running, this needs no network. Returns:
  state: PLAY (the last attempt brought a valid proof), PLAY_OFFLINE (a stored proof still counts), REFUSED (the server
    refuses the key, and has signed that) or UNKNOWN (none of these; let the player try again).
  code: nil where no server has responded. With PLAY_OFFLINE, the code of the last attempt, or NOT_ASKED until the first
    for this key since `open` has ended: do not show "offline" before.
  message: may be shown to the player.
  until: the end of the key, in Unix seconds (`until` is a word of Lua: verdict["until"]).
  release: { isAllowed, allowedAt, devices = { { ref, name, firstConnected, lastSeen } } }, where the key has no free
    slot.
]]
function Client:check(key)
  local system = self.system
  local bind = latchkey.bindOf(self.options.game, key, self.deviceId, system.sha512)
  self.key = key
  self:noteTime()
  local stored = self:storedProof(bind)
  local attempt = self.attempts[bind]
  local refusal, wait = self.refusals[bind], nil
  if system.uptime() < self.outage.untilUptime then wait = self.outage end
  if refusal and system.uptime() < refusal.untilUptime then wait = refusal end
  if stored and system.now() <= stored.exp then
    if not wait and (not attempt or system.uptime() - attempt.at >= secondsBetweenRefreshes) then
      self:begin(bind)
      system.background(function() self:attempt(key, bind) end)
    end
    return attempt and attempt.isProven and verdictOf("PLAY", stored) or offline(stored, attempt)
  end
  if wait then return self:withoutProof(wait, stored, attempt) end
  return self:attempt(key, bind)
end

-- Frees the slot of a device that the last check listed in `release`. Returns isReleased, code, message and allowedAt
-- (of the next release). Check again afterwards.
function Client:release(ref)
  if not self.key then error("Check a key before you release one of its devices.") end
  local fields = { key = self.key, game = self.options.game, ref = ref, lang = self.options.lang }
  local answer, last = self:post("/api/verify/release", { "key", "game", "ref", "lang" }, fields, isFinal)
  local said = fieldsOf(last)
  local isReleased = answer ~= nil and answer.status == 200
  return {
    isReleased = isReleased,
    code = not isReleased and textOf(said.code) or nil,
    message = textOf(said.message),
    allowedAt = textOf(said.allowedAt),
  }
end

-- Removes all proofs, for a player who signs out. The device id stays.
function Client:forget()
  self.key = nil
  self.attempts = {}
  self.proofs = {}
  self:save()
end

function Client:begin(bind)
  local last = self.attempts[bind] or { isProven = false, code = notAsked }
  local attempt = { at = self.system.uptime(), isProven = last.isProven, code = last.code }
  self.attempts[bind] = attempt
  return attempt
end

-- Asks the server.
function Client:attempt(key, bind)
  local system, options = self.system, self.options
  local attempt = self:begin(bind)
  local nonce = toBase64Url(system.randomBytes(16))
  local fields = {
    key = key,
    game = options.game,
    deviceId = self.deviceId,
    nonce = nonce,
    deviceName = options.deviceName,
    version = options.version,
    lang = options.lang,
  }
  local payload
  local names = { "key", "game", "deviceId", "nonce", "deviceName", "version", "lang" }
  local answer, last, retryAfter = self:post("/api/verify", names, fields, function(response)
    if response.status ~= 200 then return isFinal(response) end
    payload = latchkey.readProof(options.pins, fieldsOf(response).proof, bind, nonce, system.verify)
    return payload ~= nil
  end)
  attempt.isProven = false
  if answer and payload then return self:accept(answer, payload, attempt) end

  local said = last and last.status >= 400 and fieldsOf(last) or {}
  attempt.code = textOf(said.code)
  local wait = self.outage
  if answer then
    wait = self.refusals[bind] or newWait()
    self.refusals[bind] = wait
  end
  wait.failures = wait.failures + 1
  local longest = math.min(secondsToWaitMax, 2 ^ (wait.failures - 1))
  wait.untilUptime = system.uptime() + (retryAfter or system.random() * longest)
  wait.code = attempt.code
  wait.message = textOf(said.message)
  return self:withoutProof(wait, self:storedProof(bind), attempt)
end

function Client:accept(answer, payload, attempt)
  local bind = payload.bind
  local said = fieldsOf(answer)
  self.outage = newWait()
  self.refusals[bind] = nil
  attempt.isProven = payload.valid
  attempt.code = payload.code
  -- A player who has signed out meanwhile has no attempt any more.
  if self.attempts[bind] == attempt then
    if not payload.valid then
      self.proofs[bind] = nil
    elseif payload.exp then
      self.proofs[bind] = { proof = said.proof, seen = payload.iat }
    end
    self:save()
  end
  local verdict = verdictOf(payload.valid and "PLAY" or "REFUSED", payload)
  verdict.message = textOf(said.message)
  verdict.release = releaseOf(said.release)
  return verdict
end

function Client:withoutProof(wait, stored, attempt)
  if wait == self.outage and stored then return offline(stored, attempt) end
  return { state = "UNKNOWN", code = wait.code, message = wait.message }
end

-- Tries the addresses in order, until one returns an answer. Returns that, the last response and Retry-After.
function Client:post(path, names, fields, isAnswer)
  local system = self.system
  local body = writeJson(names, fields)
  local finish = system.uptime() + secondsForAllAddresses
  local last, retryAfter
  for _, address in ipairs(self.options.addresses) do
    local left = finish - system.uptime()
    if left <= 0 then break end
    last = self.options.transport({
      url = address:gsub("/+$", "") .. path,
      body = body,
      secondsToConnect = math.min(secondsToConnect, left),
      secondsToRespond = math.min(secondsToRespond, left),
      seconds = left,
    })
    if isAnswer(last) then return last, last, last.retryAfter end
    if last.retryAfter then retryAfter = math.max(retryAfter or 0, last.retryAfter) end
  end
  return nil, last, retryAfter
end

-- The stored proof of a bind, if it counts now.
function Client:storedProof(bind)
  local stored = self.proofs[bind]
  local payload = stored and latchkey.readProof(self.options.pins, stored.proof, bind, nil, self.system.verify)
  if not payload or not payload.valid or not payload.exp then return nil end
  local now = self.system.now()
  local counts = now <= payload.exp + secondsOfTolerance and now >= stored.seen - secondsOfTolerance
  return counts and payload or nil
end

-- Keeps the highest time seen with each proof, so that setting the clock back does not lengthen a lease.
function Client:noteTime()
  local now = math.floor(self.system.now())
  local isBehind = false
  for _, stored in pairs(self.proofs) do
    if stored.seen < now then
      stored.seen = now
      isBehind = true
    end
  end
  if isBehind then self:save() end
end

function Client:save()
  local lines = {}
  for bind, stored in pairs(self.proofs) do
    lines[#lines + 1] = string.format("%s %.0f %s", bind, stored.seen, stored.proof)
  end
  -- A full phone can still remove.
  local store = self.options.store
  if #lines > 0 then pcall(store.set, proofsItem, table.concat(lines, "\n")) else pcall(store.remove, proofsItem) end
end

return latchkey
