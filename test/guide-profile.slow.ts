import t from 'tap'
import { copyOfRepository } from './support/guide.ts'

// Performs the section about a field of the profile of docs/do/add-more.md in a copy of the
// repository.
// Takes about 75 s, so it begins first.

const { changed, perform, read, run, runTests } = copyOfRepository(t)
const [, afterHeading = ''] = read('docs/do/add-more.md').split('\n## A setting of the user\n')
const [section = ''] = afterHeading.split('\n## ')
perform(section)

t.test('a field with a permission of its own needs eleven files by hand', async (t) => {
  t.same(changed(), [
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
  t.match(run('generate', '--', '--name', 'phone'), { status: 0 })
  t.match(read('openapi/portal.json'), 'Phone number (E.164)')
  t.match(read('docs/lookup/errors.md'), '| `invalid-phone` | Not a phone number (E.164) |')
})

t.test('the types hold, the field works, and no test fails for having copied a list', async (t) => {
  t.match(run('typecheck'), { status: 0, output: /^$/ })
  const { status, failed } = runTests(
    'test/routes/api/user/phone.test.ts',
    'test/routes/api/user/settings.test.ts',
    'test/routes/api/user/keys.test.ts',
    'test/routes/api/auth/login.test.ts',
    'test/routes/console.test.ts',
    'test/routes/openapi.test.ts',
    'test/domain/access/registry.test.ts',
    'test/domain/accounts/data-export.test.ts',
    'test/documents.test.ts',
    'test/prose.test.ts'
  )
  t.same({ status, failed }, { status: 0, failed: [] })
})
