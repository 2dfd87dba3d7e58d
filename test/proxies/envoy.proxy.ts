import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { debianProgram } from '../resilience/debian.ts'
import { root } from '../support/root.ts'

// Debian has no Envoy. The filter of deploy/envoy.yaml runs in LuaJIT, as in Envoy, with the part of
// Envoy's interface that it uses.
const luajit = await debianProgram('luajit')
const file = readFileSync(path.join(root, 'deploy/envoy.yaml'), 'utf8')
const [, block = ''] = /inline_string: \|\n([^]*?)\n {18}- name/.exec(file) ?? []
const interfaces = `
local function headers_of(values)
  return setmetatable(values, { __index = {
    get = function(self, name) return rawget(self, name) end,
    add = function(self, name, value) self[name] = value end,
    replace = function(self, name, value) self[name] = value end,
    remove = function(self, name) self[name] = nil end
  } })
end
local function pass(route, sent, answer)
  local headers = headers_of(sent)
  local handle = { refused = nil }
  function handle:metadata() return { get = function(_, name) return route[name] end } end
  function handle:headers() return headers end
  function handle:respond(answer) self.refused = answer[":status"] end
  function handle:httpCall(cluster, asked)
    print("asks " .. cluster .. " " .. asked[":path"] .. " " .. tostring(asked["cookie"]) .. " " ..
      tostring(asked["authorization"]))
    if answer == nil then error("no answer") end
    return answer, ""
  end
  envoy_on_request(handle)
  print((handle.refused or "passes") .. " " .. tostring(headers["cookie"]) .. " " ..
    tostring(headers["portal-user"] or headers["portal-service"]) .. " " ..
    tostring(headers["authorization"]))
end
`
const cookie = '__Host-portal_session=s; theme=dark;__Host-portal_device=d; lang=de'

async function run(route: string, answer = 'nil', authorization = 'Basic YTpi') {
  const script = path.join(temporaryFolder(t), 'filter.lua')
  const sent =
    `{ [":method"] = "GET", cookie = "${cookie}", ["portal-user"] = "forged", ` +
    `["portal-service"] = "forged", authorization = "${authorization}" }`
  writeFileSync(script, `${block}\n${interfaces}\npass(${route}, ${sent}, ${answer})`)
  const { stdout } = await promisify(execFile)(luajit, [script])
  return stdout.trim().split('\n')
}
const answered = (status: number, more = '') => `{ [":status"] = "${status}"${more} }`

t.test('Envoy: only the portal gets its cookies, and the app keeps its own', async (t) => {
  t.same(await run('{ gets_session = true }'), [`passes ${cookie} forged Basic YTpi`])
  t.same(await run('{}'), ['passes theme=dark; lang=de nil Basic YTpi'])
  const user = ', ["portal-user"] = "ada"'
  t.same(await run('{ check = "/check" }', answered(204, user)), [
    `asks portal /check ${cookie} nil`,
    'passes nil ada Basic YTpi'
  ])
})

t.test('Envoy: an API key goes to the portal only, and lets a service in', async (t) => {
  const service = ', ["portal-service"] = "reporting"'
  for (const key of ['Bearer portal_x', 'bearer  portal_x', ' BEARER portal_x']) {
    t.same(await run('{ check = "/check" }', answered(204, service), key), [
      `asks portal /check ${cookie} ${key}`,
      'passes nil reporting nil'
    ])
    t.match(await run('{}', 'nil', key), ['passes theme=dark; lang=de nil nil'])
  }
})

t.test('Envoy: only 204 with a user lets a request pass', async (t) => {
  const user = ', ["portal-user"] = "ada"'
  for (const [answer, expected] of [
    [answered(200, user), '503'],
    [answered(206, user), '503'],
    [answered(204), '503'],
    [answered(204, ', ["portal-user"] = ""'), '503'],
    [answered(302, user), '503'],
    ['nil', '503'],
    [answered(401), '401'],
    [answered(421), '421']
  ] as const) {
    const [, result] = await run('{ check = "/check" }', answer)
    t.match(result, new RegExp(`^${expected} `), answer)
  }
})
