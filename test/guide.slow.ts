import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { copyOfRepository } from './support/guide.ts'

// Performs the example of docs/do/add-a-route.md in a copy of the repository: it generates the
// documents, checks all types and starts a database server.
// Takes about 75 s, so it begins first.

const { changed, folder, perform, read, run, runTests } = copyOfRepository(t)
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

t.test('one command writes everything else', async (t) => {
  const first = run('generate', '--', '--check')
  t.match(first, { status: 1, output: /is stale: docs\/lookup\/api.md/ })
  t.match(first.output, /npm run generate -- --name NAME also writes the migration/)
  t.match(run('generate', '--', '--name', 'announcements'), { status: 0 })
  const snapshots = readdirSync(path.join(folder, 'db/migrations/meta'))
  t.equal(snapshots.filter((name) => name.endsWith('_snapshot.json')).length, 1)
  const page = read('docs/lookup/api.md')
  t.ok(page.includes('| `announcement.create` | an announcement is published |'))
  t.ok(page.includes('| `POST /api/announcements` | `announcements:create` |'))
})

t.test('the types hold, and so do the tests that once compared a list with its copy', async (t) => {
  t.match(run('typecheck'), { status: 0, output: /^$/ })
  const { status, failed } = runTests(
    'test/routes/api/announcements.test.ts',
    'test/domain/access/registry.test.ts',
    'test/routes/openapi.test.ts',
    'test/openapi/documents.test.ts',
    'test/documents.test.ts',
    'test/architecture.test.ts',
    'test/account-words.test.ts'
  )
  t.same({ status, failed }, { status: 0, failed: [] })
})
