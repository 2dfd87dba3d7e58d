import t from 'tap'
import { copyOfRepository } from './support/guide.ts'

// Performs the sections about a variable, a rate limit and a flag operator of docs/do/add-more.md in
// a copy of the repository, after the example of docs/do/add-a-route.md.
// Takes about 75 s, so it begins first.

const { perform, read, run, runTests } = copyOfRepository(t)
perform(read('docs/do/add-a-route.md'))
for (const heading of ['A variable', 'A rate limit', 'A flag operator']) {
  const [, section = ''] = read('docs/do/add-more.md').split(`\n## ${heading}\n`)
  perform(section.split('\n## ')[0] ?? '')
}

t.test('one command writes the documents and the migration', async (t) => {
  t.match(run('generate', '--', '--name', 'announcements'), { status: 0 })
  const page = read('docs/lookup/configuration.md')
  t.match(page, /\| `ANNOUNCEMENT_DAYS` \|.+Announcements are listed for this many days/)
  t.match(page, '`THROTTLE_ANNOUNCEMENTS`')
})

t.test('the types hold, the additions work, and the lists in documents are complete', async (t) => {
  t.match(run('typecheck'), { status: 0, output: /^$/ })
  const { status, failed } = runTests(
    'test/routes/api/announcements.test.ts',
    'test/routes/api/announcements-limit.test.ts',
    'test/domain/flags/evaluation.test.ts',
    'test/config/documented-variables.test.ts',
    'test/config/env-file.test.ts',
    'test/documents.test.ts'
  )
  t.same({ status, failed }, { status: 0, failed: [] })
})
