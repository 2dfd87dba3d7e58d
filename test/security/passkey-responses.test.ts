import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { passkeys } from '../../db/schema/second-factors.ts'
import { subKey } from '../../src/config/keys.ts'
import { createChallenges } from '../../src/domain/factors/challenges.ts'
import type { ChallengePurpose } from '../../src/domain/factors/challenges.ts'
import { aCaller, activityOf, callerOf, testApp } from '../support/app.ts'
import { answer, createPasskey } from '../support/authenticator.ts'
import type { Knobs } from '../support/authenticator.ts'
import { aConfirmedCaller, mailsOf } from '../support/mails.ts'
import {
  addWith,
  creationOptions,
  passkeySignIn,
  provePasskey,
  send,
  signInOptions,
  tryToAdd,
  withPasskey
} from '../support/passkeys.ts'

// Responses that an attacker has replayed, moved or changed. Every one of them is signed correctly.

const app = await testApp(t)
const keys = app.config.SECRET_KEYS.map((key) => subKey(key, 'challenge'))
const refusal = (response: { statusCode: number; json(): { code: string } }) => [
  response.statusCode,
  response.json().code
]
const refused = [401, 'passkey-refused']
const wrong = [403, 'wrong-passkey']
const invalid = [400, 'invalid-passkey']
const sessionOf = async ({ call }: Awaited<ReturnType<typeof aCaller>>): Promise<string> =>
  (await call('GET', '/api/auth/me')).json().session.id

t.test('an assertion with counter 0 is accepted once, also at once', async (t) => {
  const { passkey, user } = await withPasskey(t, await aCaller(app))
  const credential = answer(passkey, await signInOptions(app))
  t.equal((await send(app, credential)).statusCode, 200)
  for (let i = 0; i < 3; i++) t.same(refusal(await send(app, credential)), refused)
  const [record] = await activityOf(app.database, user.id)
  t.match(record, { action: 'auth.login', outcome: 'failure', reason: 'repeated' })

  for (let round = 0; round < 5; round++) {
    const next = answer(passkey, await signInOptions(app))
    const responses = await Promise.all(Array.from({ length: 6 }, () => send(app, next)))
    const statuses = responses.map(({ statusCode }) => statusCode).sort()
    t.same(statuses, [200, 401, 401, 401, 401, 401])
  }
})

t.test('a proof and an addition are accepted once, too', async (t) => {
  const caller = await withPasskey(t, await aCaller(app))
  const options = (await caller.call('POST', '/api/auth/reauthenticate/options')).json()
  const credential = answer(caller.passkey, options)
  const prove = (cookie: string) =>
    caller.call('POST', '/api/auth/reauthenticate', { credential }, { cookie })
  const proved = await prove(caller.cookie)
  t.equal(proved.statusCode, 200)
  const cookie = String(proved.headers['set-cookie']).split(';')[0] ?? ''
  t.same(refusal(await prove(cookie)), wrong)

  const made = createPasskey(await creationOptions({ ...caller, cookie }))
  const body = { credential: made.credential }
  const added = await caller.call('POST', '/api/user/passkeys', body, { cookie })
  t.equal(added.statusCode, 201)
  const now = { cookie: String(added.headers['set-cookie']).split(';')[0] ?? '' }
  const url = `/api/user/passkeys/${added.json().id}`
  t.equal((await caller.call('DELETE', url, undefined, now)).statusCode, 204)
  t.same(refusal(await caller.call('POST', '/api/user/passkeys', body, now)), invalid)
})

t.test('a challenge counts for its purpose, user, session, time and key only', async (t) => {
  const caller = await withPasskey(t, await aCaller(app))
  const stranger = await withPasskey(t, await aCaller(app))
  const elsewhere = await callerOf(app, caller.user)
  const { id } = caller.user
  const session = await sessionOf(caller)
  const issue = (purpose: ChallengePurpose, secrets = keys, ago = 0) =>
    createChallenges(secrets, () => Date.now() - ago).issue(purpose)
  const foreign = [randomBytes(32)]
  const others = [await sessionOf(elsewhere), await sessionOf(stranger)]
  const [add, prove] = [
    `passkey-add:${id}:${session}` as const,
    `passkey-prove:${id}:${session}` as const
  ]
  const moved = (kind: 'add' | 'prove') =>
    [
      ...others.map((each) => `passkey-${kind}:${id}:${each}` as const),
      `passkey-${kind}:${stranger.user.id}:${session}` as const
    ].map((each) => issue(each))
  const late = 301_000
  const invented = [randomBytes(52).toString('base64url'), 'AAAA', '']
  const cases = {
    'passkey-login': [issue(add), issue(prove), issue('passkey-login', foreign)],
    'passkey-add': [issue('passkey-login'), issue(prove), issue(add, foreign), ...moved('add')],
    'passkey-prove': [issue('passkey-login'), issue(add), issue(prove, foreign), ...moved('prove')]
  }

  for (const challenge of [
    ...cases['passkey-login'],
    issue('passkey-login', keys, late),
    ...invented
  ]) {
    t.same(refusal(await passkeySignIn(app, caller.passkey, { challenge })), refused)
  }
  t.equal(
    (await passkeySignIn(app, caller.passkey, { challenge: issue('passkey-login') })).statusCode,
    200,
    'the right one'
  )
  for (const challenge of [...cases['passkey-prove'], issue(prove, keys, late), ...invented]) {
    t.same(refusal(await provePasskey(caller, caller.passkey, { challenge })), wrong)
  }
  for (const challenge of [...cases['passkey-add'], issue(add, keys, late), ...invented]) {
    t.same(refusal((await tryToAdd(caller, { challenge })).response), invalid)
  }
  t.equal((await tryToAdd(caller, { challenge: issue(add) })).response.statusCode, 201)
})

t.test('a response for another page, or without the user, is refused', async (t) => {
  const caller = await withPasskey(t, await aCaller(app))
  const { passkey } = caller
  const cases: Record<string, Knobs> = {
    'another host': { origin: 'https://localhost.example.com' },
    'another port': { origin: 'http://localhost:3001' },
    'another scheme': { origin: 'https://localhost:3000' },
    'no origin': { origin: 'null' },
    'another RP ID': { rpId: 'example.com' },
    'a frame of another origin': { crossOrigin: true },
    'an unclear frame': { crossOrigin: 'false' },
    'a page around it': { topOrigin: 'https://evil.example' },
    'a frame and the page around it': { crossOrigin: true, topOrigin: 'http://localhost:3000' },
    'no user verification': { userVerified: false },
    'no user presence': { userPresent: false },
    'another ceremony': { type: 'payment.get' }
  }
  for (const [name, knobs] of Object.entries(cases)) {
    t.same(refusal(await passkeySignIn(app, passkey, knobs)), refused, `sign-in: ${name}`)
    t.same(refusal(await provePasskey(caller, passkey, knobs)), wrong, `proof: ${name}`)
    t.same(refusal((await tryToAdd(caller, knobs)).response), invalid, `addition: ${name}`)
  }
  t.same(refusal(await passkeySignIn(app, passkey, { type: 'webauthn.create' })), refused)
  t.same(refusal((await tryToAdd(caller, { type: 'webauthn.get' })).response), invalid)
  t.equal((await passkeySignIn(app, passkey)).statusCode, 200, 'the same without a change')
})

t.test('a sign-in must name the owner of the passkey', async (t) => {
  const { passkey } = await withPasskey(t, await aCaller(app))
  const stranger = await withPasskey(t, await aCaller(app))
  for (const userHandle of [stranger.passkey.userHandle, null, '', 'AAAA']) {
    t.same(refusal(await passkeySignIn(app, passkey, { userHandle })), refused)
  }
  const forged = { ...passkey, privateKey: stranger.passkey.privateKey }
  t.same(refusal(await passkeySignIn(app, forged)), refused, 'nor does another key sign for it')
})

t.test('a credential id belongs to one account, also when two add it at once', async (t) => {
  const [one, two] = [await aCaller(app), await aCaller(app)]
  for (let round = 0; round < 5; round++) {
    const id = randomBytes(32)
    const callers = [await callerOf(app, one.user), await callerOf(app, two.user)]
    const made = await Promise.all(
      callers.map(async (caller) => createPasskey(await creationOptions(caller), { id }))
    )
    const responses = await Promise.all(
      callers.map(({ call }, i) =>
        call('POST', '/api/user/passkeys', { credential: made[i]?.credential })
      )
    )
    t.same(responses.map(({ statusCode }) => statusCode).sort(), [201, 409])
    const loser = responses.find(({ statusCode }) => statusCode === 409)
    t.equal(loser?.json().code, 'passkey-exists')
    t.equal(await app.db.$count(passkeys, eq(passkeys.credentialId, id)), 1)
  }
})

t.test('a user has at most twenty passkeys, also when more are added at once', async (t) => {
  const { user } = await withPasskey(t, await aCaller(app))
  const [first] = await app.db.select().from(passkeys).where(eq(passkeys.userId, user.id))
  if (!first) throw new Error('no passkey')
  const copies = Array.from({ length: 17 }, () => ({
    ...first,
    id: crypto.randomUUID(),
    credentialId: randomBytes(16)
  }))
  await app.db.insert(passkeys).values(copies)
  const callers = await Promise.all(Array.from({ length: 5 }, () => callerOf(app, user)))
  const begun = await Promise.all(
    callers.map(async (caller) => ({ caller, options: await creationOptions(caller) }))
  )
  const responses = await Promise.all(begun.map(({ caller, options }) => addWith(options, caller)))
  t.same(responses.map(({ response }) => response.statusCode).sort(), [201, 201, 409, 409, 409])
  t.equal(await app.db.$count(passkeys, eq(passkeys.userId, user.id)), 20)
  const full = await (await callerOf(app, user)).call('POST', '/api/user/passkeys/options')
  t.same(refusal(full), [409, 'too-many-passkeys'])
})

t.test('a counter that did not grow is refused and reported, and removes nothing', async (t) => {
  const mails = mailsOf(app)
  const caller = await withPasskey(t, await aConfirmedCaller(app), { counter: 5 }, { name: 'Key' })
  const { passkey, user } = caller
  t.equal((await passkeySignIn(app, passkey, { counter: 9 })).statusCode, 200)
  const copies = async () =>
    (await mails.kindsTo(user.email)).filter((kind) => kind === 'passkey-copied').length
  for (const [i, counter] of [9, 8, 0].entries()) {
    const credential = answer(passkey, await signInOptions(app), { counter })
    t.same(refusal(await send(app, credential)), refused)
    t.same(refusal(await send(app, credential)), refused, 'and it is judged once')
    t.equal(await copies(), 1, `after ${i + 1}: one mail a day`)
  }
  t.same(refusal(await provePasskey(caller, passkey, { counter: 9 })), wrong)
  t.equal(await copies(), 1)
  const clones = (await activityOf(app.database, user.id)).filter(
    ({ action }) => action === 'auth.passkey-clone'
  )
  t.equal(clones.length, 4)
  t.match(clones[0], { outcome: 'failure', details: { name: 'Key' }, actorId: user.id })
  t.equal((await passkeySignIn(app, passkey, { counter: 10 })).statusCode, 200, 'the device works')
})
