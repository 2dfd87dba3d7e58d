// Takes about 60 s
import { randomBytes } from 'node:crypto'
import { inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { users } from '../../db/schema/users.ts'
import { tellProgress } from '../support/progress.ts'
import { nothingWorks, ownAccount, wayBack } from './way-back-claims.ts'
import { liveSession, newAddress, others, person, sessionOf } from './way-back-people.ts'
import type { World } from './way-back-people.ts'
import { aPortal } from './way-back-portal.ts'
import type { Portal } from './way-back-portal.ts'
import { enterAt } from './way-back-providers.ts'
import { strangerIsOut } from './way-back-rules.ts'
import { steps } from './way-back-steps.ts'
import type { StepName } from './way-back-steps.ts'

// An owner and somebody who wants their account do what they can, in random orders: `npm run check
// -- way-back` tries 10,000 in each mode. WAY_BACK_MODE and WAY_BACK_SEED repeat a failure.

const { WAY_BACK_MODE: only } = process.env
const modes = (['off', 'optional', 'required'] as const).filter((mode) => (only ?? mode) === mode)
const runs = Number(process.env.WAY_BACK_ORDERS ?? 60)
const seed = Number(process.env.WAY_BACK_SEED ?? randomBytes(3).readUIntBE(0, 3))
/** Orders at the same time, each with an address of its own. */
const lanes = 4
const names = Object.keys(steps) as StepName[]
/** Without these, the others have no effect. */
const likely: StepName[] = [
  'signIn',
  'signIn',
  'addPasskey',
  'enrol',
  'createKey',
  'createKey',
  'linkMailbox',
  'linkStaff',
  'changeAddress',
  'changePassword',
  'confirmAddress',
  'recover'
]
/** A thief learns the password, or copies the cookie. */
const thefts = ['steal', 'steal', 'steal', 'steal'] as const
const orders = fc.array(
  fc.record({
    byOwner: fc.constantFrom(true, true, false, false, false),
    name: fc.constantFrom(...names, ...likely, ...likely, ...thefts)
  }),
  { minLength: 4, maxLength: 14 }
)
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const scenarios = fc.record({
  name: fc.constantFrom(...others),
  /** How the account began. */
  confirms: fc.boolean(),
  /** The factors that the owner set up days ago. */
  established: rarely(fc.constantFrom('enrol' as const, 'addPasskey' as const)),
  /** Whether a deletion cannot be undone. */
  withoutGrace: fc.boolean(),
  /** Whether the owner asks for a new password before they look for a notice. */
  asksFirst: fc.boolean(),
  /** Before which step mail is set up, and a provider required. */
  mailAt: fc.oneof(fc.constant(0), fc.nat({ max: 8 })),
  managedAt: rarely(fc.nat({ max: 12 })),
  order: orders
})
const thieves = ['password thief', 'cookie thief', 'mailbox thief']
const essential = [
  ...['add a passkey', 'enrol', 'create a key', 'link an account'].flatMap((step) =>
    ['stranger', ...thieves].map((name) => `${name}: ${step}`)
  ),
  ...['change the address', 'delete the account'].flatMap((step) =>
    thieves.map((name) => `${name}: ${step}`)
  ),
  'owner: sign in at the required provider',
  'owner: take back: revert an address',
  'owner: take back: revert factors',
  'owner: recover',
  'owner: restore'
]
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never

for (const mode of modes) {
  t.test(
    `with EMAIL_VERIFICATION=${mode}, nothing of another person works after the way back`,
    async (t) => {
      t.comment(`WAY_BACK_SEED=${seed}`)
      const portal = await aPortal(t, mode)
      const done = new Map<string, number>()
      const taken = new Map<string, number>()
      let passed = 0
      const property = fc.asyncProperty(scenarios, async (scenario) => {
        const world = aWorld(portal, scenario, done)
        try {
          if (await play(world, scenario)) {
            taken.set(scenario.name, (taken.get(scenario.name) ?? 0) + 1)
          }
        } finally {
          const at = portal.domains.indexOf(domainOf(world))
          if (at >= 0) portal.domains.splice(at, 1)
        }
        if (++passed % 250 === 0) tellProgress(`${mode}: ${passed} of ${runs} orders`)
      })
      const numRuns = Math.ceil(runs / lanes)
      await Promise.all(
        Array.from({ length: lanes }, (_, lane) =>
          fc.assert(property, { numRuns, seed: seed + lane })
        )
      )
      t.equal(passed, numRuns * lanes)
      // A model in which nothing succeeds would show nothing.
      t.ok(taken.size > 0, `inside: ${JSON.stringify(Object.fromEntries(taken))}`)
      if (runs < 1000) return // which may miss some
      t.same(
        [...essential].filter((step) => !done.has(step)),
        [],
        'each of these succeeds'
      )
      t.comment(JSON.stringify(Object.fromEntries([...done].sort()), null, 1))
    }
  )
}

const domainOf = ({ address }: World) => address.slice(address.indexOf('@') + 1)

function aWorld(portal: Portal, { name }: Scenario, done: World['done']): World {
  const address = newAddress()
  return {
    portal,
    app: portal.app,
    address,
    owner: person('owner', address),
    other: person(name, ...(name === 'mailbox thief' ? [address] : [])),
    hadTwoFactors: false,
    done,
    ip: `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
  }
}

/** Returns whether the other person was in an account in the end. */
async function play(world: World, scenario: Scenario) {
  const { owner, other, portal } = world
  const { name, order, managedAt } = scenario
  const running = scenario.withoutGrace ? portal.withoutGrace : portal.app
  world.app = running
  const mailAt = name === 'stranger' ? scenario.mailAt : 0
  if (mailAt > 0) world.app = portal.withoutMail
  const established = name === 'stranger' ? undefined : scenario.established
  if (name === 'stranger') await steps.register(world, other)
  else {
    await begin(world, scenario.confirms || established !== undefined || name === 'mailbox thief')
  }
  if (established !== undefined) await establish(world, established)
  await steal(world)
  // The mailbox alone never passes an established factor.
  const isOutside = name === 'mailbox thief' && established !== undefined
  for (const [index, step] of order.entries()) {
    if (index === mailAt) world.app = running
    if (index === managedAt) portal.domains.push(domainOf(world))
    if (isOutside && step.byOwner && !step.name.startsWith('signIn')) continue
    if (step.name === 'steal') await steal(world)
    else await steps[step.name](world, step.byOwner ? owner : other)
    await strangerIsOut(world)
    if (isOutside && (await isInside(world))) throw new Error(`inside by ${step.name}`)
  }
  world.app = running
  // To the portal, the account began with the first address that somebody confirmed.
  fc.pre(!world.confirmedFirst?.endsWith(' thief'))
  // A second account of the owner, at the address of before, would have a way back of its own.
  fc.pre((await accountsOf(world)).length <= 1)
  const wasInside = await isInside(world)
  if (managedAt !== undefined) await enterAt('staff', world, other)
  await wayBack(world, scenario.asksFirst)
  const account = await ownAccount(world)
  await nothingWorks(world, account)
  const after = await ownAccount(world)
  if (after.id !== account.id || after.email !== account.email) {
    throw new Error(`${name} has changed the account`)
  }
  return wasInside
}

const isInside = async (world: World) =>
  (await liveSession(world, world.other))?.user.email === world.address

/** The accounts in which the owner has begun a session, and which are left. */
function accountsOf({ owner, app: { db } }: World) {
  const ids = owner.cookies.map((cookie) => {
    const [, claims = ''] = cookie.split('.')
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub
  })
  return db.select({ id: users.id }).from(users).where(inArray(users.id, ids))
}

/** The owner has an account, and is signed in. */
async function begin(world: World, confirms: boolean) {
  const { owner } = world
  await steps.register(world, owner)
  await steps.confirm(world, owner)
  await steps.signIn(world, owner)
  if (confirms) await steps.confirmAddress(world, owner)
  if (!(await liveSession(world, owner))) throw new Error('the owner is not signed in')
}

/** A second factor that the owner has set up days ago. */
async function establish(world: World, kind: 'enrol' | 'addPasskey') {
  const { owner, address, app } = world
  await steps[kind](world, owner)
  await steps.needFactor(world, owner)
  const days = sql`interval '4 days'`
  const own = sql`(select id from users where email_normalized = ${address})`
  await app.db.execute(
    sql`update passkeys set created_at = created_at - ${days} where user_id = ${own}`
  )
  await app.db.execute(sql`update totp set created_at = created_at - ${days},
    confirmed_at = confirmed_at - ${days} where user_id = ${own}`)
  await app.db.execute(sql`update recovery_codes set created_at = created_at - ${days}
    where user_id = ${own}`)
  await app.db.execute(sql`update tokens set created_at = created_at - ${days},
    expires_at = expires_at - ${days} where user_id = ${own}`)
}

/** A thief of the password learns the newest, one of cookies copies the newest. */
async function steal(world: World) {
  const { owner, other } = world
  if (other.name === 'password thief') other.passwords.push(...owner.passwords.slice(-1))
  const [cookie] = other.name === 'cookie thief' ? owner.cookies.slice(-1) : []
  if (cookie === undefined) return
  other.cookies.push(cookie)
  const session = await sessionOf(world, cookie)
  if (session?.session.assurance === 2) world.hadTwoFactors = true
}
