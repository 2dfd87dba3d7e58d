import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { freshEmail, password } from '../support/app.ts'
import { blocksOf } from '../support/documents.ts'
import { asNobody, freePort, ownFolder } from '../support/postgres.ts'
import { built, root } from '../support/root.ts'
import { post } from '../support/server-process.ts'
import { unpackedPackages } from './debian.ts'
import { publicFolder, shared, startInstance } from './instances.ts'

const run = promisify(execFile)

/** The block of a page with this command. */
function blockWith(command: string, page = 'docs/do/back-up.md') {
  const [block, ...others] = blocksOf(page).filter(({ text }) => text.includes(command))
  if (!block || others.length > 0) throw new Error(`not one block of ${page} has ${command}`)
  return block.text
}

t.test(
  'the commands of the page back up the portal and restore it into another database',
  async (t) => {
    const folder = publicFolder(t)
    const { find, env: packages } = await unpackedPackages(path.join(folder, 'packages'), [
      'postgresql'
    ])
    const bin = path.dirname(
      find(...[18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/pg_dump`))
    )
    const [port, data] = [await freePort(), await ownFolder(folder, 'data')]
    const tool = (name: string, ...args: string[]) =>
      run(path.join(bin, name), args, { ...asNobody(), env: packages })
    await tool('initdb', '--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--no-sync')
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
    await tool(
      'pg_ctl',
      '--pgdata',
      data,
      '--log',
      path.join(data, 'log'),
      '--wait',
      '--options',
      options,
      'start'
    )
    t.teardown(() => tool('pg_ctl', '--pgdata', data, '--mode', 'immediate', 'stop'))

    // The commands run here as on the machine of an operator, with other folders and no systemd.
    const [programs, backups] = [path.join(folder, 'programs'), path.join(folder, 'backups')]
    const env = path.join(folder, 'env')
    for (const each of [programs, backups]) mkdirSync(each)
    const program = (name: string, text: string) => {
      writeFileSync(path.join(programs, name), `#!/bin/sh\n${text}\n`)
      chmodSync(path.join(programs, name), 0o755)
    }
    program('runuser', 'shift 3; exec "$@"')
    program('systemctl', 'echo "$@"')
    program('curl', 'exit')
    program(
      'portal',
      readFileSync(path.join(root, 'deploy/portal'), 'utf8')
        .replaceAll('/etc/portal/env', env)
        .replaceAll('/opt/portal}/dist', `${built}}`)
    )
    const shell = (command: string) =>
      run(
        'bash',
        [
          '-e',
          '-c',
          command.replaceAll('/var/backups', backups).replaceAll('/etc/portal/env', env)
        ],
        {
          env: {
            ...packages,
            PATH: `${programs}:${bin}:${process.env.PATH}`,
            PGHOST: '127.0.0.1',
            PGPORT: String(port),
            PGUSER: 'postgres'
          }
        }
      )
    const variables = { ...shared, DATABASE_URL: `postgres://portal@127.0.0.1:${port}/portal` }
    writeFileSync(
      env,
      Object.entries(variables)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join('')
    )

    await shell(blockWith('CREATE DATABASE portal OWNER portal', 'docs/do/install.md'))
    await shell('portal migrate')
    await shell(`echo ${password} | portal admin create --email ops@example.com --password-file -`)
    const portal = await (await startInstance(t, variables)).ready()
    const account = { email: freshEmail(), password }
    t.equal((await post(portal, '/api/auth/register', { ...account, name: 'Ada' })).status, 201)
    const login = await post(portal, '/api/auth/login', account)
    const cookie = login.headers
      .getSetCookie()
      .find((each) => /_session=/.test(each))
      ?.split(';')[0]
    t.match(cookie, /./)

    await shell(blockWith('pg_dump --format=custom'))
    t.equal(
      (await post(portal, '/api/auth/register', { email: freshEmail(), password, name: 'Bob' }))
        .status,
      201
    )
    await shell(blockWith('pg_restore'))
    const { stdout } = await shell(blockWith('portal refresh'))
    t.match(stdout, /restart portal@3001 portal@3002/)

    const restored = {
      ...variables,
      DATABASE_URL: `postgres://portal@127.0.0.1:${port}/portal_restored`
    }
    t.match(readFileSync(env, 'utf8'), restored.DATABASE_URL)
    const second = await (await startInstance(t, restored)).ready()
    const me = async (base: string) =>
      (await fetch(`${base}/api/auth/me`, { headers: { cookie: cookie ?? '' } })).status
    t.equal(await me(second.base), 200, 'the session goes on with the same SECRET_KEYS')
    t.equal((await post(second, '/api/auth/login', account)).status, 200)
    const users = JSON.parse((await shell('portal user list --json')).stdout) as { email: string }[]
    t.same(
      new Set(users.map(({ email }) => email)),
      new Set([account.email, 'ops@example.com']),
      'and nobody who came after the backup'
    )
    const other = await startInstance(t, {
      ...restored,
      SECRET_KEYS: `k2:${randomBytes(32).toString('base64url')}`
    })
    t.equal(
      await me((await other.ready()).base),
      401,
      'without the keys everybody must sign in again'
    )
  }
)
