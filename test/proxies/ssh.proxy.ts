import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import t from 'tap'
import { unpackedPackages } from '../resilience/debian.ts'
import { aUser, temporaryFolder, testDatabaseUrl, until } from '../support/app.ts'
import { serverVariables, startConsole } from '../support/console-process.ts'
import { freePort } from '../support/postgres.ts'
import { visitor } from '../cli/run.ts'

// The console of an operator, through the tunnel whose line it prints.
const isRoot = process.getuid?.() === 0
const folder = temporaryFolder(t)
const unpacked = path.join(folder, 'packages')
const packages = await unpackedPackages(unpacked, ['openssh-server', 'openssh-client'])
const port = await freePort()
const key = (name: string) => {
  const file = path.join(folder, name)
  execFileSync(packages.find('usr/bin/ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  return file
}
const [hostKey, userKey] = [key('host'), key('user')]
const session = '/usr/lib/openssh/sshd-session' // from OpenSSH 9.8 on
const unpackedSession = path.join(unpacked, session)
writeFileSync(
  path.join(folder, 'sshd_config'),
  `ListenAddress 127.0.0.1
Port ${port}
HostKey ${hostKey}
AuthorizedKeysFile ${userKey}.pub
StrictModes no
UsePAM no
PidFile none
${existsSync(unpackedSession) ? `SshdSessionPath ${unpackedSession}\n` : ''}`
)
const sshd = [packages.find('usr/sbin/sshd'), '-D', '-e', '-f', path.join(folder, 'sshd_config')]
const users = path.join(folder, 'passwd')
writeFileSync(
  users,
  `${readFileSync('/etc/passwd', 'utf8')}sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n`
)
// With root, it needs a user and a folder of its own, which only this process sees.
const asRoot = `mount --bind ${users} /etc/passwd && mount -t tmpfs tmpfs /run &&
  mkdir /run/sshd && exec ${sshd.join(' ')}`
const [program = '', ...args] = isRoot ? ['unshare', '--mount', 'sh', '-c', asRoot] : sshd
let said = ''
const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: packages.env })
server.stderr.on('data', (chunk) => {
  said += chunk
})
t.teardown(() => server.kill())
await until(() => {
  if (server.exitCode !== null) throw new Error(`sshd has ended:\n${said}`)
  return /Server listening on 127\.0\.0\.1/.test(said)
})

/** Runs the line that a console prints, with the key of this test. */
function openTunnel(line: string) {
  const [, ...words] = line.split(' ')
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes']
  const ssh = spawn(
    packages.find('usr/bin/ssh'),
    ['-i', userKey, ...options.flatMap((each) => ['-o', each]), ...words],
    { stdio: 'ignore', env: packages.env }
  )
  t.teardown(() => ssh.kill())
}

for (const kind of ['port', 'socket']) {
  t.test(`the printed tunnel leads to a console on a ${kind}`, async (t) => {
    const env = serverVariables(await testDatabaseUrl(t))
    await visitor(env.DATABASE_URL)((database) => aUser(database, 'ada@example.com'))
    const running = await startConsole(t, kind === 'socket' ? ['--socket'] : [], {
      ...env,
      SSH_CONNECTION: `127.0.0.1 50000 127.0.0.1 ${port}`
    })
    const [printed = ''] = /ssh -N -L .*/.exec(running.output()) ?? []
    t.match(printed, `-p ${port} ${os.userInfo().username}@127.0.0.1`)
    // Both ends are on this machine, so the near end needs a port of its own.
    const near = await freePort()
    openTunnel(printed.replace(/-L \d+:/, `-L ${near}:`))
    const origin = `http://127.0.0.1:${near}`
    await until(() =>
      fetch(`${origin}/console`).then(
        ({ status }) => status === 200,
        () => false
      )
    )
    const exchanged = await fetch(`${origin}/api/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ link: new URL(running.link()).hash.replace('#start=', '') })
    })
    t.equal(exchanged.status, 200, running.output())
    const { token } = (await exchanged.json()) as { token: string }
    const answer = await fetch(`${origin}/api/admin/users`, {
      headers: { authorization: `Bearer ${token}`, 'sec-fetch-site': 'same-origin' }
    })
    t.match(await answer.json(), { items: [{ email: 'ada@example.com' }] })
    t.equal((await fetch(`${origin}/api/admin/users`)).status, 401)
  })
}
