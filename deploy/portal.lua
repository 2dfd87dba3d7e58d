-- Asks the portal about a request to a service: `http-request lua.portal /api/auth/check?permission=…`
-- in haproxy.cfg. After 204 the request has the portal's headers and txn.portal_user is set, to the user
-- or to the service whose API key it is; a refusal is answered here. In every other case it is not set.

-- The frontend `checks` of haproxy.cfg. A name would have to be resolved.
local portal = "http://127.0.0.1:8082"
local refusals = { [400] = true, [401] = true, [403] = true, [421] = true, [503] = true }

-- The values of a header, which HAProxy numbers from 0, as one.
local function joined(headers, name, separator)
  local values = headers[name]
  if values == nil then return nil end
  return table.concat(values, separator, 0)
end

-- Some services read portal_user or portal.user as portal-user.
local function is_ours(name)
  return name:lower():gsub("[^%w]", "-"):find("^portal%-") ~= nil
end

-- API keys are for the portal, and no service sees one. Other contents of Authorization are for the
-- service, and not for the portal.
local bare_key = "portal_" .. ("[%w_-]"):rep(43) .. "_"
local function has_api_key(headers)
  local values = headers["authorization"]
  if values == nil then return false end
  for _, value in pairs(values) do
    if value:lower():find("^%s*bearer%s+portal_") or value:find(bare_key) then return true end
  end
  return false
end

core.register_action("portal", { "http-req" }, function(txn, path)
  local headers = txn.http:req_get_headers()
  for name in pairs(headers) do
    if is_ours(name) then txn.http:req_del_header(name) end
  end

  -- A WebSocket opens with GET, and CORS does not apply to it: the portal treats it as a change.
  local method = headers["upgrade"] and "POST" or txn.f:method()
  local asked = {
    ["host"] = { joined(headers, "host", ",") },
    ["x-original-method"] = { method },
    ["x-forwarded-for"] = { txn.f:src() }
  }
  for name, separator in pairs({ cookie = "; ", origin = ", ", ["sec-fetch-site"] = ", " }) do
    local value = joined(headers, name, separator)
    if value ~= nil then asked[name] = { value } end
  end
  if has_api_key(headers) then
    asked["authorization"] = { joined(headers, "authorization", ", ") }
    txn.http:req_del_header("authorization")
  end
  -- Longer than the backend `checks` takes, because HAProxy asks again after this time-out.
  local answer = core.httpclient():get({ url = portal .. path, headers = asked, timeout = 5000 })
  if answer == nil then return end

  if answer.status == 204 then
    for name, values in pairs(answer.headers) do
      if is_ours(name) then txn.http:req_set_header(name, values[0]) end
    end
    -- Setting a header that finds no room fails silently.
    local passed = txn.http:req_get_headers()
    for name in pairs(answer.headers) do
      if is_ours(name) and passed[name] == nil then return end
    end
    local user = joined(answer.headers, "portal-user", ",")
      or joined(answer.headers, "portal-service", ",")
    if user ~= nil and user ~= "" then txn:set_var("txn.portal_user", user) end
    return
  end

  -- HAProxy answers itself, with a page, when no instance does.
  local kind = answer.headers["content-type"]
  if refusals[answer.status] and kind and kind[0]:find("^application/problem%+json") then
    local sent = { ["content-type"] = { kind[0] }, ["cache-control"] = { "no-store" } }
    local retry = answer.headers["retry-after"]
    if retry then sent["retry-after"] = { retry[0] } end
    txn:done(txn:reply({ status = answer.status, headers = sent, body = answer.body }))
  end
end, 1)
