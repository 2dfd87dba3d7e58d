import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)
const script = readFileSync(path.join(root, 'deploy/portal'), 'utf8')

/** Runs deploy/portal with a program in place of the command line that prints what it was given. */
async function installed(
  env: string,
  { args = ['user', 'list'], more = {} }: { args?: string[]; more?: Record<string, string> } = {}
) {
  const folder = temporaryFolder(t)
  for (const each of [path.dirname(folder), folder]) chmodSync(each, 0o755)
  const files = { env, ...more }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  writeFileSync(
    path.join(folder, 'portal'),
    script.replaceAll('/etc/portal', folder).replace('-u portal', '-u nobody')
  )
  mkdirSync(path.join(folder, 'dist/src'), { recursive: true })
  writeFileSync(
    path.join(folder, 'dist/src/cli.js'),
    `import { readFileSync } from 'node:fs'
    const reads = (file) => { try { readFileSync(file); return true } catch { return false } }
    console.log(JSON.stringify({ env: process.env, args: process.argv.slice(2),
      secret: reads(process.env.SECRET ?? '') }))`
  )
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  const { stdout } = await run('sh', [path.join(folder, 'portal'), ...args], {
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      PORTAL_FOLDER: folder,
      ...('extra' in more && { PORTAL_ENV: path.join(folder, 'extra') })
    }
  })
  return JSON.parse(stdout) as {
    env: Record<string, string>
    args: string[]
    secret: boolean
  }
}

t.test('the installed command line takes values as systemd does, and evaluates none', async (t) => {
  // The line of the file, and the value that systemd 252 gives to a unit (systemd.exec, EnvironmentFile=).
  const values: Record<string, [line: string, value: string]> = {
    URL: [
      'postgres://a:b@c/d?target_session_attrs=primary&sslmode=verify-full',
      'postgres://a:b@c/d?target_session_attrs=primary&sslmode=verify-full'
    ],
    FROM: ['Portal <portal@example.com>', 'Portal <portal@example.com>'],
    DOLLAR: ['a$b$(id)`id`', 'a$b$(id)`id`'],
    HASH: ['#ffd400', '#ffd400'],
    SEMICOLON: ['a;b#c', 'a;b#c'],
    SINGLE: ['\'It is "so" \\n\'', 'It is "so" \\n'],
    DOUBLE: ['"a \\"b\\" \\\\ \\$c \\d"', 'a "b" \\ $c \\d'],
    ESCAPED: ['a\\ b\\\\c', 'a b\\c'],
    SPACES: ['  in between  ', 'in between'],
    EMPTY: ['', ''],
    EQUALS: ['a=b=c', 'a=b=c']
  }
  const lines = Object.entries(values).map(([name, [line]]) => `${name}=${line}`)
  const { env, args } = await installed(['# A=comment', '; B=comment', '', ...lines].join('\n'))
  for (const [name, [, value]] of Object.entries(values)) t.equal(env[name], value, name)
  t.same(args, ['user', 'list'])
  t.notOk('A' in env || '# A' in env)
})

t.test('what systemd would read in another way is refused, or read as it does', async (t) => {
  t.equal((await installed('A=b\r\nC="d"\r\n')).env.C, 'd', 'lines of Windows')
  for (const [line, why] of [
    ['export A=b', 'export A: is no name of a variable'],
    ["A='one", 'A: the quote does not end on its line']
  ] as const) {
    const error = await installed(line).catch((error: unknown) => error)
    t.match(error, { stderr: `${why}\n` })
  }
})

t.test('a file for migrations and the one in PORTAL_ENV take precedence', async (t) => {
  const { env } = await installed('A=1\nB=1\nC=1', {
    more: { 'migration-env': 'B=2\nC=2', extra: 'C=3' }
  })
  t.match(env, { A: '1', B: '2', C: '3' })
})

if (process.getuid?.() === 0) {
  t.test('doctor reads files as the user of the server, other commands as root', async (t) => {
    const secret = path.join(temporaryFolder(t), 'secret')
    writeFileSync(secret, 'x', { mode: 0o600 })
    t.equal((await installed(`SECRET=${secret}`, { args: ['doctor'] })).secret, false)
    t.equal((await installed(`SECRET=${secret}`)).secret, true)
  })
}
