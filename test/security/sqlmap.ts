import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createPasswords } from '../../src/domain/passwords/passwords.ts'
import { createBulkhead } from '../../src/domain/bulkhead.ts'
import { createAdmin } from '../../src/domain/administration/users.ts'
import { openToAttack } from '../support/raised-limits.ts'

// sqlmap (a Debian package) against all text input: `npm run check -- sqlmap`. Exits with 1 when it
// finds anything.

const password = 'correct horse battery'
const output = mkdtempSync(path.join(os.tmpdir(), 'portal-sqlmap-output-'))
const { app, close } = await openToAttack('portal-sqlmap', { NODE_ENV: 'development' })

const found: string[] = []
try {
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const passwords = createPasswords({
    minLength: 8,
    cost: 10,
    bulkhead: createBulkhead({ running: 1, waiting: 1, maxWait: 60_000 })
  })
  await createAdmin(
    { db: app.db, passwords },
    { type: 'cli', source: 'cli' },
    { email: 'ops@example.com', name: 'Ops', password }
  )
  const login = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email: 'ops@example.com', password }
  })
  const cookie = String([login.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  const id = login.json().user.id as string

  await attack('login', `${base}/api/auth/login`, [
    '--data',
    JSON.stringify({ email: 'ops@example.com*', password: 'x*' })
  ])
  await attack('register', `${base}/api/auth/register`, [
    '--data',
    JSON.stringify({ email: 'ops@example.com*', password, name: 'Ada*' })
  ])
  for (const list of [
    'users?q=ops*&status=active*&role=admin*&sort=name*&limit=5*',
    `sessions?userId=${id}*&state=live*&sort=-createdAt*`,
    `activity?action=auth.login*&outcome=success*&actorId=${id}*&targetId=${id}*&from=2026-01-01T00:00:00.000Z*`,
    `users/${id}*`,
    'roles?q=user*',
    'flags?q=x*'
  ]) {
    await attack(list.split('?')[0] ?? '', `${base}/api/admin/${list}`, ['--cookie', cookie])
  }
} finally {
  await close()
  rmSync(output, { recursive: true, force: true })
}
console.log(found.length > 0 ? `FOUND:\n${found.join('\n')}` : 'sqlmap found nothing')
process.exitCode = found.length > 0 ? 1 : 0

async function attack(what: string, target: string, more: string[]) {
  const child = spawn(
    'sqlmap',
    [
      '-u',
      target,
      ...more,
      '--headers',
      'Content-Type: application/json',
      '--batch',
      '--flush-session',
      '--disable-coloring',
      '--output-dir',
      output,
      '--dbms',
      'postgresql',
      '--level',
      '2',
      '--risk',
      '2',
      '--technique',
      'BEUSTQ',
      '--time-sec',
      '3',
      '--skip-urlencode',
      '--ignore-code',
      '*',
      '--keep-alive',
      '--threads',
      '4'
    ].filter((option) => option !== '--skip-urlencode' || more.includes('--data')),
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve, reject) =>
    child
      .on('close', resolve)
      .on('error', () =>
        reject(new Error('sqlmap cannot be started. On Debian: apt-get install sqlmap'))
      )
  )
  const clear = /all tested parameters do not appear to be injectable/.test(text)
  const tested =
    text.match(/testing if .*? parameter|\(custom\) .*? parameter .*? does not seem/g)?.length ?? 0
  console.log(
    `${clear ? 'nothing' : 'SOMETHING'} in ${what}: ${(text.match(/does not seem to be injectable/g) ?? []).length} places, ${tested} looked at`
  )
  if (!clear) found.push(`${what}:\n${text.slice(-3000)}`)
}
