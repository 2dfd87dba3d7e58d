import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// The app needs these in the portal: a permission, a role that has it, a flag, and a service with a
// key for the nightly job. In production an operator creates them on the command line: see
// README.md.
const wanted = {
  permissions: { key: 'invoices:read', description: 'See invoices' },
  roles: { key: 'accountant', name: 'Accountant', permissions: ['invoices:read'] },
  services: { key: 'reporting', name: 'Reporting' },
  flags: {
    key: 'new-greeting',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    public: true,
    rules: [{ when: { rolesAny: ['accountant'] }, serve: { variant: 'on' } }]
  }
}

/** Waits for the portal, and creates what is missing with the admin API of development. */
export async function setUp(portal) {
  const passwordFile = '.data/admin-password'
  while (!existsSync(passwordFile) || !(await isHealthy(portal))) await sleep(200)
  const post = (path, body, cookie = '') =>
    fetch(portal + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body)
    })
  const password = (await readFile(passwordFile, 'utf8')).trim()
  const login = await post('/api/auth/login', { email: 'admin@portal.localhost', password })
  if (login.status !== 200) throw new Error(`The administrator gets ${login.status} at sign-in.`)
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  for (const [kind, body] of Object.entries(wanted)) {
    const { status } = await post(`/api/admin/${kind}`, body, cookie)
    if (status !== 201 && status !== 409) throw new Error(`POST ${kind}: ${status}`)
  }
  await setUpJob(portal, post, cookie)
  await post('/api/auth/logout', {}, cookie)
}

const keyFile = '.data/reporting.key'

/** Gives the service of the nightly job its role and, the first time, its key. */
async function setUpJob(portal, post, cookie) {
  const service = '/api/admin/services/reporting'
  await fetch(`${portal}${service}/roles/accountant`, { method: 'PUT', headers: { cookie } })
  if (existsSync(keyFile)) return
  const created = await post(`${service}/keys`, { name: 'Nightly job' }, cookie)
  if (created.status !== 201) throw new Error(`The key of the job: ${created.status}`)
  await writeFile(keyFile, (await created.json()).secret, { mode: 0o600 })
}

async function isHealthy(portal) {
  const response = await fetch(`${portal}/health`).catch(() => undefined)
  return response?.status === 200
}
