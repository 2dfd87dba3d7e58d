import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Command } from 'commander'
import { createProgram } from '../../src/commands/program.ts'
import { portal } from './run.ts'

const help = async (...args: string[]) => {
  const result = await portal(args)
  t.equal(result.code, 0, `${args.join(' ')}: ${result.stderr}`)
  return result.stdout
}

t.test(
  'the help of every group and command has an example that starts with its name',
  async (t) => {
    const look = (command: Command, name: string): number => {
      let printed = ''
      command.configureOutput({
        writeOut: (text) => {
          printed += text
        }
      })
      command.outputHelp()
      const examples = printed.split(/\nExamples?:\n/)[1] ?? ''
      t.match(
        examples.split('\n').find((line) => line.includes('portal')),
        name,
        name
      )
      return (
        1 + command.commands.reduce((sum, each) => sum + look(each, `${name} ${each.name()}`), 0)
      )
    }
    t.ok(look(createProgram(), 'portal') > 45, 'all commands were looked at')
  }
)

t.test('help shows nested commands', async (t) => {
  t.match(
    await help('help', 'user', 'grant'),
    /^Usage: portal user grant \[options\] <user> <role>/
  )
  t.match(await help('help', 'user'), /^Usage: portal user /)
  t.match(await help('help'), /^Usage: portal \[options\]/)
  t.match(await portal(['help', 'user', 'fly']), { code: 2, stderr: /^Unknown command: user fly/ })
})

t.test('required options are marked', async (t) => {
  const text = await help('user', 'create', '--help')
  t.match(text, /--email <address> .*\(required\)/)
  t.match(text, /--name <name> .*\(required\)/)
  t.equal(text.match(/\(required\)/g)?.length, 2)
})

t.test('the version is that of package.json', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  t.equal(await help('--version'), `${version}\n`)
  const env = { DATABASE_URL: 'postgres://127.0.0.1:1/portal' }
  t.match(JSON.parse((await portal(['doctor', '--json'], { env })).stdout), [
    { check: 'version', finding: `portal ${version} on Node ${process.version}` }
  ])
  const config = await portal(['config'], {
    env: {
      ...env,
      PUBLIC_ORIGIN: 'http://localhost',
      SECRET_KEYS: `k1:${randomBytes(32).toString('base64url')}`
    }
  })
  t.match(config.stdout, new RegExp(`^version +${version}\n`))
})

t.test('an unknown command gets a suggestion, and wrong usage ends with exit code 2', async (t) => {
  const near = await portal(['user', 'lst'])
  t.equal(near.code, 2)
  t.match(near.stderr, 'Did you mean list?')
  t.match(await portal(['user', 'create', '--email', 'x@example.com']), {
    code: 2,
    stderr: /'--name <name>' not specified/
  })
  t.equal((await portal(['user', 'list', '--sort', 'password'])).code, 2)
  t.match(
    (await portal(['user', 'list', '--limit', '0'])).stderr,
    'Must be a whole number from 1 to 9999999'
  )
})

t.test('the help of flag create shows a valid file', async (t) => {
  const [, file = ''] = (await help('flag', 'create', '--help')).split(/Example file.*\n/)
  t.match(JSON.parse(file), {
    key: 'new-checkout',
    rules: [{ when: { rolesAny: ['accountant'] } }, {}]
  })
})
