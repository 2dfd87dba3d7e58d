import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// What the app needs of the portal: a permission, a role that has it, and a flag. In production an
// operator creates them on the command line: see README.md.
const wanted = {
  permissions: { key: 'invoices:read', description: 'See invoices' },
  roles: { key: 'accountant', name: 'Accountant', permissions: ['invoices:read'] },
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
  await post('/api/auth/logout', {}, cookie)
}

async function isHealthy(portal) {
  const response = await fetch(`${portal}/health`).catch(() => undefined)
  return response?.status === 200
}
