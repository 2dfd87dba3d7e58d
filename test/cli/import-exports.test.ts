import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { asc } from 'drizzle-orm'
import t from 'tap'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { users } from '../../db/schema/users.ts'
import { temporaryFolder, testDatabaseUrl } from '../support/app.ts'
import { documents } from '../support/exports/documents.ts'
import { tables } from '../support/exports/tables.ts'
import { portal, visitor } from './run.ts'

// Exports in the form in which people get them. Each arrives with every fact, or the fact is named.

const folder = temporaryFolder(t)
const fileOf = (name: string, content: string | Buffer) => {
  writeFileSync(path.join(folder, name), content)
  return path.join(folder, name)
}
const PROVIDERS = fileOf(
  'providers.json',
  JSON.stringify({
    google: { kind: 'google', clientId: 'x', clientSecretFile: fileOf('secret', 'S3CRET') }
  })
)
const parameters = fileOf(
  'firebase.txt',
  'base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZv' +
    'pjeJ9WmXA==, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14'
)

for (const { from, name = 'the export', content, users: expected, said } of [
  ...documents,
  ...tables
]) {
  t.test(`${name} of ${from} arrives with every fact, or the fact is named`, async (t) => {
    const begun = new Date()
    const env = { DATABASE_URL: await testDatabaseUrl(t), PROVIDERS }
    const file = fileOf(`${from} ${name}`, content)
    const options = from === 'firebase' ? ['--firebase-parameters', parameters] : []
    const run = await portal(['import', 'users', file, '--from', from, ...options], { env })
    const printed = run.stderr.trimEnd().split('\n')
    t.equal(printed.length, said.length, run.stderr)
    t.match(printed, said)
    t.equal(run.code, said.some((each) => /rejected 0$/.test(String(each))) ? 0 : 1)
    const [found, linked] = await visitor(env.DATABASE_URL)(async ({ db }) => [
      await db.select().from(users).orderBy(asc(users.email)),
      await db.select().from(providerAccounts)
    ])
    t.same(
      found.map((user) =>
        [
          user.email,
          user.name,
          user.status,
          user.emailVerifiedAt && 'confirmed',
          user.createdAt < begun && user.createdAt.toISOString(),
          user.passwordHash && 'password',
          ...linked.filter(({ userId }) => userId === user.id).map(({ provider }) => provider)
        ]
          .filter(Boolean)
          .join(' ')
      ),
      expected
    )
  })
}
