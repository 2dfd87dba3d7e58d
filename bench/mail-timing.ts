import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { hash } from '@node-rs/bcrypt'
import { v7 as uuid } from 'uuid'
import { users } from '../db/schema/users.ts'
import { openToAttack, raised } from '../test/support/raised-limits.ts'
import { judge, timesOf, triesOf } from './timing.ts'

// Checks whether the duration of a registration, a recovery or a change of address reveals who has
// an account: `npm run check -- mail-timing [tries]`. Sends requests for free and for taken addresses in
// turn over HTTP, each for another address, while the worker delivers their mails to an SMTP server.
// Exits with 1 when medians differ by 5 % or more. It needs a quiet machine.

const tries = Number(process.argv[2] ?? 200)
const allowed = 0.05
const cost = 10 // the lowest in production: a slower hash would hide differences
const password = 'correct horse battery'

const sink = spawn(process.execPath, [path.join(import.meta.dirname, 'servers/mail-sink.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit']
})
const [port] = (await once(sink.stdout, 'data')) as [Buffer]
const { app, close } = await openToAttack('portal-bench-mail-timing', {
  PUBLIC_ORIGIN: 'http://localhost',
  BCRYPT_COST: String(cost),
  MAIL_URL: `smtp://127.0.0.1:${String(port).trim()}`,
  MAIL_FROM: 'portal@example.com',
  ACCOUNT_URL: 'http://localhost/account',
  EMAIL_VERIFICATION: 'required',
  THROTTLE_MAIL_ADDRESS: raised,
  THROTTLE_MAIL_SOURCE: raised,
  THROTTLE_MAIL_TOTAL: raised,
  THROTTLE_MAIL_UNPROVED: raised,
  THROTTLE_MAIL_UNCONFIRMED: raised,
  THROTTLE_PASSWORD: raised,
  THROTTLE_WRITES: raised
})

try {
  await measure()
} finally {
  await close()
  sink.kill()
}

async function measure() {
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const send = async (method: string, url: string, body: object, cookie = '') => {
    const response = await fetch(base + url, {
      method,
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: JSON.stringify(body)
    })
    await response.arrayBuffer()
    return response
  }
  const ask = async (...request: Parameters<typeof send>) => {
    const { status } = await send(...request)
    if (status !== 202) throw new Error(`${request[1]} was answered ${status}`)
  }
  const register = (email: string) =>
    ask('POST', '/api/auth/register', { email, password, name: 'Ada Lovelace' })
  const recover = (email: string) => ask('POST', '/api/auth/recovery', { email })
  const cookie = await signIn()
  const change = (email: string) =>
    ask('PUT', '/api/user/email', { email, currentPassword: password }, cookie)

  for (const [what, request] of Object.entries({
    'Registration with confirmation': register,
    Recovery: recover,
    'Change of the own address': change
  })) {
    const kinds = {
      'free address': addresses(),
      'taken address': await accounts('active'),
      'deactivated account': await accounts('deactivated')
    }
    const requests = Object.entries(kinds).map(
      ([kind, emails]) => [kind, (attempt: number) => request(emails[attempt] ?? '')] as const
    )
    console.log(`\n${what}`)
    if (!judge(await timesOf(Object.fromEntries(requests), tries), allowed)) process.exitCode = 1
  }

  async function signIn() {
    const [email] = await accounts('active')
    const { headers } = await send('POST', '/api/auth/login', { email, password })
    return headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
}

/** Addresses of one length, which no account has. */
function addresses() {
  return Array.from({ length: triesOf(tries) }, () => `${uuid()}@example.com`)
}

/** The addresses of as many new accounts. */
async function accounts(status: 'active' | 'deactivated') {
  const emails = addresses()
  const passwordHash = await hash(password, cost)
  await app.db.insert(users).values(
    emails.map((email) => ({
      id: uuid(),
      email,
      emailNormalized: email,
      emailVerifiedAt: new Date(),
      name: 'Ada Lovelace',
      passwordHash,
      status
    }))
  )
  return emails
}
