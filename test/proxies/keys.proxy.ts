import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'
import { shared, startInstance } from '../resilience/instances.ts'
import { ask } from './asking.ts'
import { example, imported } from './examples.ts'
import { filled, runHaproxy } from './proxies.ts'
import { aWorld } from './world.ts'

// The key of the portal changes as docs/do/keys.md says, in front of receivers of assertions.
const first = shared.SECRET_KEYS
const second = `k2:${randomBytes(32).toString('base64url')}`
const env = { ASSERTION_AUDIENCES: 'invoices' }
const step2 = await aWorld(t, { ...env, SECRET_KEYS: `${first},${second}` })
const ada = await step2.signedInUser()
const step3 = await startInstance(t, {
  ...env,
  DATABASE_URL: step2.url,
  SECRET_KEYS: `${second},${first}`
})
await step3.ready()
const keySet = `http://127.0.0.1:${step2.portals[0]}/.well-known/jwks.json`

async function assertionFrom(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/check?audience=invoices`, {
    headers: { cookie: ada.cookie, 'x-original-method': 'GET' }
  })
  return answer.headers.get('portal-assertion') ?? ''
}
const signedBy: Record<string, string> = {
  k1: await assertionFrom(step2.portals[0]),
  k2: await assertionFrom(step3.port)
}

const folder = temporaryFolder(t)
await imported(
  'pem-files',
  example('createPublicKey', {
    'https://portal.example.com/.well-known/jwks.json': keySet,
    '/etc/haproxy': folder
  })
)

/** The keys whose assertions HAProxy accepts. */
async function accepted(t: Parameters<typeof runHaproxy>[0], changes: Record<string, string> = {}) {
  const port = await freePort()
  const text = filled('deploy/assertions.cfg', {
    'bind :8081': `bind 127.0.0.1:${port}`,
    'https://portal.example.com': shared.PUBLIC_ORIGIN,
    '127.0.0.1:4001': `127.0.0.1:${step2.service.port}`,
    ...changes,
    '/etc/haproxy': path.resolve(folder)
  })
  await runHaproxy(t, text, port)
  const keys: string[] = []
  for (const [kid, assertion] of Object.entries(signedBy)) {
    const headers: [string, string][] = [['Portal-Assertion', assertion]]
    const { status } = await ask(port, step2.service.requests, { headers })
    if (status === 200) keys.push(kid)
  }
  return keys
}

t.test('HAProxy accepts assertions of both keys while the key changes', async (t) => {
  t.same(await accepted(t), ['k1'], 'before the second file is named')
  t.same(await accepted(t, { '# acl is_signed': 'acl is_signed' }), ['k1', 'k2'])
  t.same(await accepted(t, { 'portal-k1.pem': 'portal-k2.pem' }), ['k2'], 'after the change')
})

t.test('a key set that was fetched before the new key signs verifies its assertions', async (t) => {
  const keys = createRemoteJWKSet(new URL(keySet))
  for (const [kid, assertion] of Object.entries(signedBy)) {
    const { protectedHeader, payload } = await jwtVerify(assertion, keys)
    t.match({ protectedHeader, payload }, { protectedHeader: { kid }, payload: { sub: ada.id } })
  }
})
