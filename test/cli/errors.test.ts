import t from 'tap'
import { openDatabase } from '../../db/client.ts'
import { aUser, testDatabaseUrl } from '../support/app.ts'
import { runner } from './run.ts'

const url = await testDatabaseUrl(t)
const { run } = runner({ DATABASE_URL: url, BCRYPT_COST: '10' })

// PGlite allows one process at a time.
const database = await openDatabase(url)
await aUser(database, 'ops@example.com')
await database.close()

t.test(
  '--json prints an error as one line of JSON on stderr, with the code of the API',
  async (t) => {
    for (const [args, exitCode, error] of [
      [
        'user show nobody@example.com --json',
        3,
        { code: 'user-not-found', message: /No such user/ }
      ],
      [
        'role create support no:such --name x --json',
        2,
        {
          code: 'invalid-request',
          errors: [{ pointer: '/permissions/0', code: 'unknown-permission' }]
        }
      ],
      ['user list --sort password --json', 2, { code: 'usage', message: /Allowed choices are/ }],
      ['activity list --from yesterday --json', 2, { code: 'usage', message: /yesterday/ }],
      ['user lst --json', 2, { code: 'usage', message: /Did you mean list/ }],
      ['user set-password ops@example.com --json', 2, { code: 'usage', message: /--password-file/ }]
    ] as const) {
      const result = await run(args)
      t.equal(result.code, exitCode, args)
      t.equal(result.stdout, '', args)
      t.match(JSON.parse(result.stderr), { error }, args)
      t.match(result.stderr, /^\{.*\}\n$/, args)
    }
  }
)
