import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { freshEmail, temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { runner } from './run.ts'

// The forms of a file: lines, a document, CSV.

const { ok, run, json } = runner({
  DATABASE_URL: await testDatabaseUrl(t),
  NODE_ENV: 'development'
})
const folder = temporaryFolder(t)
let files = 0
const fileOf = (content: string | Buffer) => {
  const file = path.join(folder, `${++files}.txt`)
  writeFileSync(file, content)
  return file
}

t.test('a file of UTF-16 is refused as a whole, and says so', async (t) => {
  const text = `{"email":"${freshEmail()}","name":"Ada"}\n`
  for (const bytes of [
    Buffer.from(`\ufeff${text.repeat(3)}`, 'utf16le'),
    Buffer.from(`\ufeff${text.repeat(3)}`, 'utf16le').swap16()
  ]) {
    const { code, stderr } = await run(`import users ${fileOf(bytes)}`)
    t.match(stderr, /^The file \S+ is UTF-16: save it as UTF-8\.\n$/)
    t.equal(code, 2)
  }
})

t.test('a document that is not valid or not UTF-8 imports nothing', async (t) => {
  const email = freshEmail()
  const user = `{"email":"${email}","name":"José"}`
  const cases: [Buffer | string, RegExp][] = [
    [Buffer.from(`[\n${user}\n]`, 'latin1'), /is not UTF-8: line 2, byte \d\d/],
    [`[${user},\n{"email":]`, /not valid JSON/],
    ['[1, null]', /user 1: .*\n.*user 2: /]
  ]
  for (const [content, refusal] of cases) {
    const { code, stderr } = await run(`import users ${fileOf(content)}`)
    t.match(stderr, refusal)
    t.not(code, 0)
  }
  t.equal((await run(`user show ${email}`)).code, 3)
})

t.test('a document of more than 100 MiB is refused before it fills the memory', async (t) => {
  const file = fileOf('[')
  truncateSync(file, 100 * 2 ** 20 + 1)
  t.match(await run(`import users ${file}`), {
    code: 2,
    stderr: /A JSON document has at most 100 MiB\. Write one user per line instead\./
  })
})

t.test("a list, CSV with semicolons and lines have the portal's own fields as well", async (t) => {
  const [one, two, three] = [freshEmail(), freshEmail(), freshEmail()]
  await ok(t, `import users ${fileOf(JSON.stringify([{ email: one, name: 'One' }], null, 2))}`)
  await ok(t, `import users ${fileOf(`email;name;roles;emailVerified\r\n${two};Two;[];true\r\n`)}`)
  await ok(t, `import users ${fileOf(`\ufeff\n  {"email":"${three}","name":"Three"}`)}`)
  for (const [email, name] of [
    [one, 'One'],
    [two, 'Two'],
    [three, 'Three']
  ]) {
    t.match(json(await ok(t, `user show ${email} --json`)), { name })
  }
})

t.test('CSV that a spreadsheet has saved has its booleans, spaces and empty rows', async (t) => {
  const [one, two] = [freshEmail(), freshEmail()]
  const rows = [
    'sep=;',
    'email; name;emailVerified',
    ` ${one} ; One ;TRUE`,
    `${two};Two;FALSE`,
    ';;',
    ' ; ;'
  ]
  await ok(t, `import users ${fileOf(`\ufeff${rows.join('\r\n')}\r\n`)}`)
  t.match(json(await ok(t, `user show ${one} --json`)), { name: 'One', emailVerified: true })
  t.match(json(await ok(t, `user show ${two} --json`)), { name: 'Two', emailVerified: false })
  const mistaken = [...rows, 'three'].join('\n')
  t.match(await run(`import users ${fileOf(mistaken)}`), {
    code: 1,
    stderr: /line 7: Has another number of columns than the first line\./
  })
})

t.test('a second line with an address is named with the first, in any batch', async (t) => {
  const email = freshEmail()
  const user = (id: string, address: string) =>
    JSON.stringify({ id, email: address, name: 'Ada', emailVerified: true })
  const others = Array.from({ length: 1000 }, (_, i) => user(`other-${i}`, freshEmail()))
  const again = [user('two', email.toUpperCase()), ...others, user('three', email)]
  const text = [user('one', email), ...again].join('\n')
  const mapping = path.join(folder, 'mapping')
  for (const options of ['--dry-run', `--mapping ${mapping}`]) {
    const { code, stdout, stderr } = await run(`import users ${fileOf(text)} ${options} --json`)
    t.match(stderr, /^line 2: Has the address of line 1\.\nline 1003: Has the address of line 1\./)
    t.equal(code, 1)
    t.match(JSON.parse(stdout), { created: 1001, skipped: 0, bad: 2 }, options)
  }
  t.equal(
    readFileSync(mapping, 'utf8')
      .match(/"one"|"two"|"three"/g)
      ?.join(),
    '"one"'
  )
  const few = [user('one', email), '', user('three', email)].join('\n')
  t.match(await run(`import users ${fileOf(few)}`), {
    code: 1,
    stderr: /line 3: Has the address of line 1\.\nimported 0, skipped 1 existing, rejected 1/
  })
})

t.test('an export without any password says so, unless that was asked for', async (t) => {
  const line = () => fileOf(JSON.stringify({ email: freshEmail(), name: 'Ada', pass: 'x' }))
  const found = await ok(t, `import users ${line()} --from auth0`)
  t.match(found.stderr, /No user has a password\. .* docs\/do\/moving\.md/)
  t.match(found.stderr, /number of users: pass \(1\)/)
  const asked = await ok(t, `import users ${line()} --from auth0 --no-passwords`)
  t.notMatch(asked.stderr, /No user has a password/)
})

t.test('a realm on one line, and CSV with broken quotes or columns, are named', async (t) => {
  const [one, two] = [freshEmail(), freshEmail()]
  const realm = { realm: 'acme', users: [{ email: one, enabled: true }, { email: 'x' }] }
  const found = await run(`import users ${fileOf(JSON.stringify(realm))} --from keycloak`)
  t.match(found, { code: 1, stderr: /^user 2: .*email/ })
  t.match(found.stderr, /imported 1, /)
  const header = await run(`import users ${fileOf(Buffer.from('email,näme\nx,y', 'latin1'))}`)
  t.match(header, { code: 2, stderr: /^The file \S+ is not UTF-8: line 1, byte 8\.$/m })
  const open = await run(`import users ${fileOf(`email,name\n${two},Two\nx,"y\n`)}`)
  t.match(open, { code: 1, stderr: /^line \d: Is not valid CSV: check its quotes\.$/m })
  t.match(open.stderr, /imported 1, /)
})
