-- Runs vectors.json on latchkey.lua, or calls a server as its input says. See run.ts.
local folder = arg[1]
package.path = folder .. "/?.lua;" .. package.path
local latchkey = require("latchkey")
local null = latchkey.null

local function known(value)
  if value == null then return nil end
  return value
end

-- A value as text, for comparing and showing. A field that is null is as good as none.
local function shown(value)
  if value == nil or value == null then return "null" end
  if type(value) == "number" then return string.format("%.3f", value) end
  if type(value) ~= "table" then return type(value) == "string" and string.format("%q", value) or tostring(value) end
  local parts = {}
  for name, each in pairs(value) do
    if each ~= null then parts[#parts + 1] = tostring(name) .. ":" .. shown(each) end
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

local function same(what, actual, expected)
  local is, should = shown(actual), shown(expected)
  if is ~= should then error(what .. " is " .. is .. ", not " .. should, 0) end
end

local passed, failed = 0, {}

local function attempt(name, play)
  local hasPassed, reason = pcall(play)
  if hasPassed then
    passed = passed + 1
  else
    failed[#failed + 1] = "failed: latchkey.lua, " .. name .. ": " .. tostring(reason)
  end
end

local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

-- 22 characters of base64url.
local function bytesOf(nonce)
  local bits, count, bytes = 0, 0, {}
  for each in nonce:gmatch(".") do
    bits = bits * 64 + digits:find(each, 1, true) - 1
    count = count + 6
    if count >= 8 then
      count = count - 8
      bytes[#bytes + 1] = string.char(math.floor(bits / 2 ^ count) % 256)
      bits = bits % math.floor(2 ^ count)
    end
  end
  return table.concat(bytes)
end

local function play(run, pins)
  local texts = {}
  for name, text in pairs(run.stored) do texts[name] = text end
  local step, waited, urls, bodies, tasks
  local function begin(next) step, waited, urls, bodies, tasks = next, 0, {}, {}, {} end
  local function refusing(call, act)
    return function(...)
      if run.store == call then error("The store refuses this.") end
      return act(...)
    end
  end
  local function start(trusted)
    return latchkey.open({
      addresses = run.addresses,
      game = run.game,
      deviceId = run.deviceId,
      deviceName = run.deviceName,
      version = run.version,
      lang = run.lang,
      pins = trusted,
      store = {
        get = refusing("refusesGet", function(name) return texts[name] end),
        set = refusing("refusesSet", function(name, text) texts[name] = text end),
        remove = refusing("refusesRemove", function(name) texts[name] = nil end),
      },
      transport = function(request)
        local response = step.responses[#urls + 1]
        urls[#urls + 1] = request.url
        bodies[#bodies + 1] = request.body
        waited = waited + response.takes
        local wait = known(response.retryAfter)
        return { status = response.status, body = response.body, retryAfter = wait and tonumber(wait:match("^%d+$")) }
      end,
      system = {
        now = function() return step.now + waited end,
        uptime = function() return step.uptime + waited end,
        random = function() return run.random end,
        randomBytes = function() return bytesOf(step.nonce) end,
        background = function(task) tasks[#tasks + 1] = task end,
      },
    })
  end
  begin(run.steps[1])
  local client = start(pins)
  for index, each in ipairs(run.steps) do
    begin(each)
    local result
    if each["do"] == "open" then
      client = start(each.pins or pins)
    elseif each["do"] == "forget" then
      client:forget()
    elseif each["do"] == "check" then
      result = client:check(each.key)
    else
      result = client:release(each.ref)
    end
    for _, task in ipairs(tasks) do task() end
    same("step " .. index, result, each.expect)
    same("step " .. index .. ": the addresses", urls, each.sends or {})
    for _, body in ipairs(bodies) do same("step " .. index .. ": the body", latchkey.readJson(body), each.body) end
  end
end

local function runVectors()
  local file = assert(io.open(folder .. "/vectors.json"))
  local vectors = latchkey.readJson(file:read("*a"))
  for _, each in ipairs(vectors.proofs) do
    attempt("proof: " .. each.name, function()
      local bind = latchkey.bindOf(each.game, each.key, each.deviceId)
      same("isGood", latchkey.readProof(vectors.pins, each.proof, bind, each.nonce) ~= nil, each.isGood)
    end)
  end
  for _, each in ipairs(vectors.deviceIds) do
    attempt("device id: " .. each.game .. ", " .. each.source, function()
      local isMade, made = pcall(latchkey.deviceId, each.game, each.source)
      same("the device id", isMade and made or nil, each.deviceId)
    end)
  end
  for _, each in ipairs(vectors.runs) do
    attempt("run: " .. each.name, function() play(each, vectors.pins) end)
  end
  for _, line in ipairs(failed) do print(line) end
  print(passed .. " passed, " .. #failed .. " failed")
end

-- With curl, because Lua has no HTTP.
local function post(request)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(request.body)
  file:close()
  local command = "curl -s -m %d -w '\\n%%{http_code}' -H 'Content-Type: application/json' --data-binary @%s '%s'"
  local pipe = assert(io.popen(command:format(math.ceil(request.seconds), path, request.url)))
  local body, status = pipe:read("*a"):match("^(.*)\n(%d+)$")
  pipe:close()
  os.remove(path)
  return { status = tonumber(status), body = body }
end

local function callServer(store, game, address, ...)
  local shift = 0
  local pins = {}
  for _, pin in ipairs({ ... }) do
    local kid, publicKey = pin:match("^(.*):(.*)$")
    pins[#pins + 1] = { kid = kid, publicKey = publicKey }
  end
  local tasks = {}
  local client = latchkey.open({
    addresses = { address },
    game = game,
    pins = pins,
    store = latchkey.fileStore(store),
    transport = post,
    system = {
      now = function() return os.time() + shift end,
      background = function(task) tasks[#tasks + 1] = task end,
    },
  })
  for line in io.lines() do
    local word, value = line:match("^(%S+) (.*)$")
    if word == "clock" then
      shift = tonumber(value)
      print("set")
    elseif word == "release" then
      print(client:release(value).isReleased)
    else
      local verdict = client:check(value)
      local device = verdict.release and verdict.release.devices[1]
      print(verdict.state .. " " .. (verdict.code or "-") .. " " .. (device and device.ref or "-"))
    end
    io.flush()
    -- As an engine would in its next frame.
    for _, task in ipairs(tasks) do task() end
    tasks = {}
  end
end

if arg[2] then
  callServer(arg[2], arg[3], arg[4], table.unpack(arg, 5))
else
  runVectors()
end
