import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import t from 'tap'
import { defaultBudgets, parseBudgets } from '../../src/config/budgets.ts'
import { ownApp } from '../support/app.ts'
import { tellProgress } from '../support/progress.ts'
import { startMailServer } from '../mail/server.ts'
import { nothingWorks, ownAccount, wayBack } from './way-back-claims.ts'
import { openInbox } from './way-back-inbox.ts'
import { liveSession, newAddress, person } from './way-back-people.ts'
import type { Person, World } from './way-back-people.ts'
import { steps } from './way-back-steps.ts'

// An owner and somebody who wants their account do what they can, in random orders:
// `npm run check -- way-back` tries 10,000.

const modes = ['off', 'optional', 'required'] as const
const runs = Math.ceil(Number(process.env.WAY_BACK_ORDERS ?? 30) / modes.length)
const names = Object.keys(steps)
/** Without these, the others have no effect. */
const likely = [
  'signIn',
  'addPasskey',
  'enrol',
  'createKey',
  'changeAddress',
  'confirmAddress',
  'recover'
]
const orders = fc.array(
  fc.record({
    byOwner: fc.boolean(),
    name: fc.constantFrom(...names, ...likely, ...likely, 'learn', 'learn')
  }),
  { minLength: 6, maxLength: 18 }
)
/** No attempt waits for another one. */
const unlimited = Object.fromEntries(
  Object.keys(defaultBudgets(true)).map((name) => [name, '900000/0.001'])
) as ReturnType<typeof defaultBudgets>

for (const mode of modes) {
  t.test(`with EMAIL_VERIFICATION=${mode}`, async (t) => {
    const server = await startMailServer(t, { tls: 'none' })
    const app = await ownApp(t, {
      EMAIL_VERIFICATION: mode,
      MAIL_URL: server.url,
      MAIL_FROM: 'portal@example.com',
      ...parseBudgets(unlimited)
    })
    // Everybody may create keys here: before the first request, so that nothing has to be bumped.
    await app.db.execute(sql`
      insert into role_permissions (role_id, permission_key)
      select id, 'keys:create' from roles where key = 'user'`)
    const inbox = openInbox(t, app, server)
    const done = new Map<string, number>()
    const aWorld = (other: Person['name']): World => {
      const address = newAddress()
      return {
        app,
        inbox,
        address,
        owner: person('owner', address),
        other: person(other, ...(other === 'mailbox thief' ? [address] : [])),
        done,
        ip: `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
      }
    }

    await t.test(
      'an owner who takes an account back removes everything that a stranger or a thief added',
      async (t) => {
        let taken = 0
        const progress = counter(`${mode}, taking the account back`, runs)
        const others = fc.constantFrom('stranger' as const, 'password thief' as const)
        await fc.assert(
          fc.asyncProperty(others, orders, async (name, order) => {
            const world = aWorld(name)
            const { owner, other } = world
            if (name === 'stranger') await steps.register?.(world, other)
            else await begin(world)
            if (name === 'password thief' && order.length % 2 > 0) {
              await steps.confirmAddress?.(world, owner)
            }
            if (name === 'password thief') other.passwords.push(...owner.passwords.slice(-1))
            for (const step of order) {
              const who = step.byOwner ? owner : other
              if (step.name !== 'learn') await steps[step.name]?.(world, who)
              else if (name === 'password thief') other.passwords.push(...owner.passwords.slice(-1))
            }
            // To the portal, the account began with the first address that somebody confirmed.
            fc.pre(world.confirmedFirst !== 'password thief')
            if (await liveSession(world, other)) taken++
            const password = await wayBack(world)
            const account = await ownAccount(world, password)
            await nothingWorks(world, account)
            const after = await ownAccount(world, password)
            if (after.id !== account.id || after.email !== account.email) {
              throw new Error(`${name} has changed the account`)
            }
            progress()
          }),
          { numRuns: runs }
        )
        t.ok(taken > 0, `the other person was inside in ${taken} of ${runs} orders`)
      }
    )

    await t.test('the mailbox alone never passes an established factor', async () => {
      const kinds = fc.constantFrom('enrol', 'addPasskey')
      const some = Math.ceil(runs / 4)
      const progress = counter(`${mode}, the mailbox alone`, some)
      await fc.assert(
        fc.asyncProperty(kinds, orders, async (kind, order) => {
          const world = aWorld('mailbox thief')
          const { owner, other } = world
          await begin(world)
          await steps.confirmAddress?.(world, owner)
          await steps[kind]?.(world, owner)
          await steps.needFactor?.(world, owner)
          await letDaysPass(world)
          for (const { byOwner, name } of order) {
            if (!byOwner) await steps[name]?.(world, other)
            else if (name.startsWith('signIn')) await steps[name]?.(world, owner)
            if (await liveSession(world, other)) throw new Error(`inside by ${name}`)
          }
          const password = await wayBack(world)
          await ownAccount(world, password)
          progress()
        }),
        { numRuns: some }
      )
    })

    if (process.env.WAY_BACK_ORDERS) t.comment(JSON.stringify(Object.fromEntries(done), null, 1))
  })
}

/** Tells whoever waits for thousands of orders how many have passed. */
function counter(what: string, all: number) {
  let passed = 0
  return () => {
    if (++passed % 250 === 0) tellProgress(`${what}: ${passed} of ${all} orders`)
  }
}

/** The owner has an account, and is signed in. */
async function begin(world: World) {
  const { owner } = world
  await steps.register?.(world, owner)
  await steps.confirm?.(world, owner)
  await steps.signIn?.(world, owner)
  if (!(await liveSession(world, owner))) throw new Error('the owner is not signed in')
}

/** What happened was four days ago. */
async function letDaysPass({ app: { db }, address }: World) {
  const days = sql`interval '4 days'`
  const own = sql`(select id from users where email_normalized = ${address})`
  await db.execute(
    sql`update passkeys set created_at = created_at - ${days} where user_id = ${own}`
  )
  await db.execute(sql`update totp set created_at = created_at - ${days},
    confirmed_at = confirmed_at - ${days} where user_id = ${own}`)
  await db.execute(sql`update recovery_codes set created_at = created_at - ${days}
    where user_id = ${own}`)
  await db.execute(sql`update tokens set created_at = created_at - ${days},
    expires_at = expires_at - ${days} where user_id = ${own}`)
}
