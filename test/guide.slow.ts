import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { copyOfRepository } from './support/guide.ts'

// Performs docs/do/add-a-route.md and docs/do/add-more.md in copies of the repository. All of it in
// one copy: documents are generated, all types checked and a database server started once.
// Takes about 90 s, so it begins first.

/** A section of docs/do/add-more.md. */
function sectionOf({ read }: { read(file: string): string }, heading: string) {
  const [, after = ''] = read('docs/do/add-more.md').split(`\n## ${heading}\n`)
  return after.split('\n## ')[0] ?? ''
}

const all = copyOfRepository(t)
const { changed, folder, perform, read, run, runTests } = all
perform(read('docs/do/add-a-route.md'))

t.test('the example of the guide needs nine files by hand', async (t) => {
  t.same(changed(), [
    'CHANGELOG.md',
    'db/schema/actions.ts',
    'db/schema/announcements.ts',
    'routes/api/announcements.ts',
    'src/domain/announcements/announcements.ts',
    'src/domain/permissions.ts',
    'src/http/document/operation-tags.ts',
    'src/schemas/announcements.ts',
    'test/routes/api/announcements.test.ts'
  ])
})

t.test('a field with a permission of its own needs eleven files by hand', async (t) => {
  const copy = copyOfRepository(t)
  copy.perform(sectionOf(copy, 'A setting of the user'))
  t.same(copy.changed(), [
    'CHANGELOG.md',
    'db/schema/users.ts',
    'src/common/profile-fields.ts',
    'src/common/words/account-de.ts',
    'src/common/words/problems-de.ts',
    'src/domain/accounts/profile-changes.ts',
    'src/domain/permissions.ts',
    'src/domain/users/profiles.ts',
    'src/problems/fields.ts',
    'test/domain/access/registry.test.ts',
    'test/routes/api/user/phone.test.ts'
  ])
})

t.test('one command writes everything else', async (t) => {
  for (const heading of [
    'A variable',
    'A rate limit',
    'A flag operator',
    'A setting of the user'
  ]) {
    perform(sectionOf(all, heading))
  }
  const first = run('generate', '--', '--check')
  t.match(first, { status: 1, output: /is stale: docs\/lookup\/api.md/ })
  t.match(first.output, /npm run generate -- --name NAME also writes the migration/)
  t.match(run('generate', '--', '--name', 'announcements'), { status: 0 })
  const snapshots = readdirSync(path.join(folder, 'db/migrations/meta'))
  t.equal(snapshots.filter((name) => name.endsWith('_snapshot.json')).length, 1)
  const api = read('docs/lookup/api.md')
  t.match(api, '| `announcement.create` | an announcement is published |')
  t.match(api, '| `POST /api/announcements` | `announcements:create` |')
  const variables = read('docs/lookup/configuration.md')
  t.match(variables, /\| `ANNOUNCEMENT_DAYS` \|.+Announcements are listed for this many days/)
  t.match(variables, '`THROTTLE_ANNOUNCEMENTS`')
  t.match(read('openapi/portal.json'), 'Phone number (E.164)')
  t.match(read('docs/lookup/errors.md'), '| `invalid-phone` | Not a phone number (E.164) |')
})

t.test('the types hold, and so do the tests that once compared a list with its copy', async (t) => {
  t.match(run('typecheck'), { status: 0, output: /^$/ })
  const { status, failed } = runTests(
    'test/account-words.test.ts',
    'test/architecture.test.ts',
    'test/config/documented-variables.test.ts',
    'test/config/env-file.test.ts',
    'test/documents.test.ts',
    'test/domain/access/registry.test.ts',
    'test/domain/accounts/data-export.test.ts',
    'test/domain/flags/evaluation.test.ts',
    'test/openapi/documents.test.ts',
    'test/routes/api/announcements-limit.test.ts',
    'test/routes/api/announcements.test.ts',
    'test/routes/api/auth/login.test.ts',
    'test/routes/api/user/keys.test.ts',
    'test/routes/api/user/phone.test.ts',
    'test/routes/api/user/settings.test.ts',
    'test/routes/console.test.ts',
    'test/routes/openapi.test.ts'
  )
  t.same({ status, failed }, { status: 0, failed: [] })
})
