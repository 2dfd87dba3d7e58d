import t from 'tap'
import { password, testDatabaseUrl } from '../support/app.ts'
import { runner } from './run.ts'

// Each command is a process of its own at a terminal, where somebody reads and types.

const { run, ok } = runner({ DATABASE_URL: await testDatabaseUrl(t), BCRYPT_COST: '10' })
await ok(t, 'admin create --email ops@example.com --password-file -', { input: password })

t.test('a terminal shows lists as tables and asks before deleting', async (t) => {
  await ok(t, 'user create --email bob@example.com --name Bob --no-password')
  const table = await ok(t, 'user list --q bob', { terminal: true })
  t.match(
    table.stdout.replaceAll('\r', ''),
    /^EMAIL +NAME +STATUS +ROLES +LAST LOGIN\nbob@example\.com +Bob +active +user +-\n/
  )
  const no = await run('user delete bob@example.com', {
    terminal: true,
    answers: [[/Continue/, 'n\r']]
  })
  t.equal(no.code, 2)
  t.match(no.stdout, 'Nothing was changed')
  const yes = await run('user delete bob@example.com', {
    terminal: true,
    answers: [[/Continue/, 'y\r']]
  })
  t.equal(yes.code, 0, yes.stdout)
  t.equal((await run('user show bob@example.com')).code, 3)
})

t.test(
  'a terminal prompts for a password without showing it; without a terminal the command says how to pass it',
  async (t) => {
    const piped = await run('user set-password ops@example.com')
    t.equal(piped.code, 2)
    t.match(piped.stderr, /--password-file FILE, or - for stdin/)
    const typed = await run('user set-password ops@example.com', {
      terminal: true,
      answers: [
        [/Password/, 'typed horse battery\r'],
        [/Repeat/, 'typed horse battery\r']
      ]
    })
    t.equal(typed.code, 0, typed.stdout)
    t.match(typed.stdout, /Password/)
    t.notMatch(typed.stdout, /typed horse/)
    const tooShort = await run('user set-password ops@example.com', {
      terminal: true,
      answers: [
        [/Password/, 'short\r'],
        [/password: At least 8 characters[^]*Password/, 'typed horse battery\r'],
        [/Repeat/, 'typed horse battery\r']
      ]
    })
    t.equal(tooShort.code, 0, 'it asks again')
    const short = await run('user create --email x@example.com --name x --password-file -', {
      input: 'short'
    })
    t.equal(short.code, 2)
    t.match(short.stderr, 'password: At least 8 characters')
  }
)
