import { hash } from '@node-rs/bcrypt'
import { eq } from 'drizzle-orm'
import { users } from '../db/schema/users.ts'
import { storedForm } from '../src/domain/passwords/foreign-forms.ts'
import { registerUser } from '../src/domain/sign-in/registration.ts'
import { openToAttack } from '../test/support/raised-limits.ts'
import { judge, timesOf } from './timing.ts'

// Checks whether the duration of a rejected login reveals the reason: `npm run check -- login-timing
// [tries]`. Sends each kind of rejected login over HTTP, with BCRYPT_COST 12 and raised rate limits:
// first to a portal whose hashes are all its own, then to one portal for each foreign scheme, which
// has hashes of that scheme besides. Exits with 1 when durations differ by 5 % or more. It needs a
// quiet machine; on a busy one only the processor time is meaningful.

const tries = Number(process.argv[2] ?? 60)
const allowed = 0.05
const rest = `${'a'.repeat(22)}$${'a'.repeat(43)}`
/** A hash of each scheme, as other systems make them by default. Nothing matches them. */
const foreign = {
  'better-auth': `${'0a'.repeat(16)}:${'1b'.repeat(64)}`,
  firebase: `f1:firebase:16384.8.1:${'a'.repeat(15)}:${'a'.repeat(86)}`,
  directus: `$argon2id$v=19$m=65536,t=3,p=4$${rest}`,
  logto: `$argon2i$v=19$m=8192,t=8,p=1$${rest}`,
  'keycloak, sha512': `$pbkdf2-sha512$210000$${rest}`,
  'django, older': `$pbkdf2-sha256$600000$${rest}`,
  'django, newest': `$pbkdf2-sha256$1200000$${rest}`
}
const password = 'correct horse battery'

type Kinds = Record<string, { email: string; password: string }>

await measure('Own hashes of all costs', async (account) => ({
  ...(await otherRejections(account)),
  ...(await wrongPasswords(account, [4, 10, 12, 13]))
}))
for (const [scheme, text] of Object.entries(foreign)) {
  await measure(`Hashes of ${scheme}`, async (account) => ({
    unknown: { email: 'nobody@example.com', password },
    ...(await wrongPasswords(account, [12])),
    [`wrong, ${scheme}`]: {
      email: await account('foreign', { passwordHash: storedForm(text) }),
      password: 'not this one'
    }
  }))
}

type Account = (name: string, changes: Partial<typeof users.$inferInsert>) => Promise<string>

async function otherRejections(account: Account): Promise<Kinds> {
  return {
    unknown: { email: 'nobody@example.com', password },
    deactivated: { email: await account('deactivated', { status: 'deactivated' }), password },
    'without a hash': { email: await account('without', { passwordHash: null }), password },
    'over-long': { email: await account('long', { status: 'active' }), password: 'x'.repeat(200) },
    '73 bytes': { email: await account('bytes', { status: 'active' }), password: 'x'.repeat(73) }
  }
}

async function wrongPasswords(account: Account, costs: number[]) {
  const kinds: Kinds = {}
  for (const cost of costs) {
    const email = await account(`cost${cost}`, { passwordHash: await hash(password, cost) })
    kinds[`wrong, cost ${cost}`] = { email, password: 'not this one' }
  }
  return kinds
}

/** Measures the kinds of rejected logins that `kindsOf` returns, on a portal of their own. */
async function measure(what: string, kindsOf: (account: Account) => Promise<Kinds>) {
  const { app, close } = await openToAttack('portal-bench-timing', {
    PUBLIC_ORIGIN: 'http://localhost',
    BCRYPT_COST: '12'
  })
  try {
    const base = await app.listen({ host: '127.0.0.1', port: 0 })
    const kinds = await kindsOf(async (name, changes) => {
      const { id, email } = await registerUser(
        app.context,
        { type: 'anonymous', source: 'api' },
        { email: `${name}@example.com`, password, name }
      )
      await app.db.update(users).set(changes).where(eq(users.id, id))
      return email
    })
    const requests = Object.entries(kinds).map(([kind, body]) => {
      const send = async () => {
        const response = await fetch(`${base}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body)
        })
        await response.arrayBuffer()
        if (response.status !== 401) throw new Error(`${kind} was answered ${response.status}`)
      }
      return [kind, send] as const
    })
    console.log(`\n${what}`)
    if (!judge(await timesOf(Object.fromEntries(requests), tries), allowed)) process.exitCode = 1
  } finally {
    await close()
  }
}
