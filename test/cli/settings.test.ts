import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { schemaFile, settingsFile } from '../support/settings.ts'
import { runner } from './run.ts'

const url = await testDatabaseUrl(t)
const SETTINGS_SCHEMA = settingsFile(t, schemaFile)
const common = { DATABASE_URL: url, BCRYPT_COST: '10' }
const { run, ok, json } = runner({ ...common, SETTINGS_SCHEMA })
const without = runner(common)
const folder = temporaryFolder(t)
const fileOf = (name: string, content: unknown) => {
  const file = path.join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}
const create = (email: string) => ok(t, `user create --email ${email} --name Ada --no-password`)

t.test('the settings of a user are shown and changed', async (t) => {
  await create('ada@example.com')
  const shown = await ok(t, 'user settings ada@example.com')
  t.match(shown.stdout, /^user +startPage +inbox +true$/m)
  t.match(shown.stdout, /^app +limits +\{ "projects": 3 \} +true$/m)
  const patch = fileOf('patch.json', { plan: 'pro' })
  const changed = await ok(t, `user settings ada@example.com --part app --file ${patch}`)
  t.match(changed.stdout, /^app +plan +pro +false$/m)
  t.notMatch(changed.stdout, 'startPage')
  const replace = fileOf('replace.json', { limits: { seats: 1 } })
  t.same(
    json(
      await ok(t, `user settings ada@example.com --part app --file ${replace} --replace --json`)
    ),
    {
      user: { startPage: 'inbox' },
      app: { plan: 'free', limits: { seats: 1, projects: 3 } },
      rejected: { user: [], app: [] }
    }
  )
})

t.test('a mistake in a change is named', async (t) => {
  await create('bob@example.com')
  const wrong = await run(
    `user settings bob@example.com --part app --file ${fileOf('w', { plan: 'x' })}`
  )
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, /plan: Must be one of free, pro/)
  t.match((await run('user settings bob@example.com --part app')).stderr, /both --part and --file/)
  const list = await run(`user settings bob@example.com --part app --file ${fileOf('l', ['free'])}`)
  t.match(list.stderr, /Must be an object/)
})

t.test('a narrower schema is checked before it is used, and can be pruned after', async (t) => {
  await create('eve@example.com')
  const patch = fileOf('eve.json', { startPage: 'calendar', columns: ['a', 'b'] })
  await ok(t, `user settings eve@example.com --part user --file ${patch}`)
  t.match((await ok(t, 'settings check')).stderr, /none/)
  const narrow = fileOf('narrow.json', {
    user: {
      type: 'object',
      additionalProperties: false,
      properties: {
        startPage: { type: 'string', enum: ['inbox'] },
        columns: { type: 'array', maxItems: 9, items: { type: 'integer' } }
      }
    },
    app: schemaFile.app
  })
  const check = await run(`settings check ${narrow}`)
  t.equal(check.code, 1)
  t.match(check.stdout, /^user +\/columns\/\* +wrong-type +1$/m)
  t.match(check.stdout, /^user +\/startPage +not-allowed +1$/m)

  const after = runner({ ...common, SETTINGS_SCHEMA: narrow })
  const shown = await after.ok(t, 'user settings eve@example.com')
  t.match(shown.stderr, /left out of the user settings: \/startPage \(not-allowed\)/)
  t.match((await after.ok(t, 'settings prune --yes')).stderr, /Removed: 2\./)
  await after.ok(t, 'settings check')
  const records = await ok(t, 'activity list --action settings.prune --json')
  t.match(json(records), [{ actorType: 'cli', details: { count: 2 } }])
})

t.test('a flag is tried with made-up settings of an app', async (t) => {
  const flag = fileOf('flag.json', {
    ...{ key: 'new-plan', type: 'boolean', variants: { on: true, off: false } },
    ...{ defaultVariant: 'off', offVariant: 'off' },
    rules: [
      {
        when: { appSettings: [{ name: 'plan', op: 'in', values: ['pro'] }] },
        serve: { variant: 'on' }
      }
    ]
  })
  const tried = (settings: string) =>
    run(`flag try --file ${flag} --role user --json --app-settings ${settings}`)
  t.match(json(await tried('{"plan":"pro"}')), { variant: 'on', rule: 0 })
  t.match(json(await tried('{"plan":"free"}')), { variant: 'off', rule: null })
  t.match(await tried('plan=pro'), { code: 2, stderr: /not valid JSON/ })
})

t.test('an invalid schema is explained', async (t) => {
  const file = fileOf('invalid.json', { user: { type: 'object' } })
  const { code, stderr } = await run(`settings check ${file}`)
  t.not(code, 0)
  t.match(stderr, /SETTINGS_SCHEMA user \/ needs the keyword properties/)
})

t.test('settings move with their user', async (t) => {
  await create('mia@example.com')
  const patch = fileOf('mia.json', { plan: 'pro' })
  await ok(t, `user settings mia@example.com --part app --file ${patch}`)
  const lines = (await ok(t, 'export users')).stdout.split('\n')
  const line = lines.find((each) => each.includes('mia@example.com')) ?? ''
  t.match(JSON.parse(line), { appSettings: { plan: 'pro' } })

  const other = runner({ ...common, DATABASE_URL: await testDatabaseUrl(t), SETTINGS_SCHEMA })
  const users = path.join(folder, 'users.ndjson')
  const invalid = { email: 'ida@example.com', name: 'Ida', appSettings: { plan: 'gold' } }
  writeFileSync(users, `${line}\n${JSON.stringify(invalid)}\n`)
  const imported = await other.run(`import users ${users}`)
  t.match(imported.stderr, /line 2: .*appSettings\/plan|line 2: .*appSettings\.plan/)
  t.match(imported.stderr, /imported 1, skipped 0 existing, rejected 1/)
  t.match(json(await other.ok(t, 'user settings mia@example.com --json')), {
    app: { plan: 'pro' }
  })
  t.match((await without.run(`import users ${users} --dry-run`)).stderr, /line 1: .*keeps no/)
})

t.test('without a schema, settings are off, and doctor warns about stored ones', async (t) => {
  t.match((await without.run('user settings ada@example.com')).stderr, /keeps no settings/)
  t.match((await without.run('settings prune --yes')).stderr, /keeps no settings/)
  const server = {
    PUBLIC_ORIGIN: 'https://portal.example.com',
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`
  }
  const doctor = await runner({ ...common, ...server }).run('doctor')
  t.match(doctor.stdout, /settings: \d+ documents are stored, and SETTINGS_SCHEMA is not set/)
  const set = await runner({ ...common, ...server, SETTINGS_SCHEMA }).run('doctor')
  t.notMatch(set.stdout, 'SETTINGS_SCHEMA is not set')
})

t.test('the copy of one’s data has both parts, also without a schema', async (t) => {
  const copy = json(await ok(t, 'user export mia@example.com'))
  t.match(copy, { settings: { startPage: 'inbox' }, appSettings: { plan: 'pro' } })
  const stored = json(await without.ok(t, 'user export mia@example.com'))
  t.same((stored as { settings: object }).settings, {})
  t.match(stored, { appSettings: { plan: 'pro' } })
})

t.test('the API document has the types of the schema', async (t) => {
  const document = json(await ok(t, 'openapi')) as {
    components: { schemas: Record<string, object> }
  }
  t.match(document.components.schemas.AppSettings, {
    required: ['plan', 'limits'],
    properties: { plan: { enum: ['free', 'pro'] } }
  })
  t.match(document.components.schemas.AppSettingsPatch, {
    properties: { plan: { anyOf: [{ enum: ['free', 'pro'] }, { type: 'null' }] } }
  })
})
