import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { budgetsOf, defaultBudgets, parseBudgets } from '../../src/config/budgets.ts'
import { createBuckets } from '../../src/domain/throttling/buckets.ts'
import { servicesOf, testDatabase } from '../support/app.ts'
import { tellProgress } from '../support/progress.ts'
import { nothingOfStrangerWorks, ownerGetsIn } from './provider-claims.ts'
import { strangerIsOut } from './provider-rules.ts'
import { steps } from './provider-steps.ts'
import { client, openInbox, person, providers } from './provider-world.ts'
import type { World } from './provider-world.ts'

// The owner of a mailbox and a stranger register, confirm, recover, link, unlink, sign in and set up
// second factors in random orders: `npm run check -- providers` tries 10,000.

const modes = ['off', 'optional', 'required'] as const
const runs = Math.ceil(Number(process.env.PROVIDER_ORDERS ?? 90) / modes.length)
/** Orders at the same time, each with an address of its own. */
const lanes = 4
const names = Object.keys(steps)
/** Without these, the others have no effect. */
const likely = ['register', 'signIn', 'recover', 'sign in with mailbox', 'link hearsay', 'enrol']
const stepsOf = (byOwner: boolean, ...own: string[]) => own.map((name) => ({ byOwner, name }))
/** What has happened before, so that the steps have something to meet. */
const beginnings = fc.constantFrom(
  [],
  stepsOf(false, 'register', 'signIn'),
  stepsOf(true, 'register', 'confirm', 'recover', 'signIn'),
  stepsOf(true, 'sign in with mailbox')
)
const orders = fc
  .tuple(
    beginnings,
    fc.array(fc.record({ byOwner: fc.boolean(), name: fc.constantFrom(...names, ...likely) }), {
      minLength: 3,
      maxLength: 10
    })
  )
  .map((parts) => parts.flat())
/** One order in which each of these succeeds: few random ones may miss some. */
const everything = stepsOf(true, 'recover', 'sign in with mailbox', 'link hearsay', 'enrol')
const example = [...stepsOf(true, 'register', 'confirm', 'recover', 'signIn'), ...everything]
/** Before which step mail is set up. Until then, nobody can be asked to confirm an address. */
const mailAt = fc.oneof(fc.constant(0), fc.nat({ max: 9 }))
/** No attempt waits for another one. */
const unlimited = parseBudgets(
  Object.fromEntries(
    Object.keys(defaultBudgets(true)).map((name) => [name, '900000/0.001'])
  ) as ReturnType<typeof defaultBudgets>
)

const database = await testDatabase(t)
const base = {
  ...servicesOf(database),
  providers,
  providerClient: client,
  buckets: createBuckets(randomBytes(32), budgetsOf(unlimited))
}
const inbox = openInbox(base)

for (const verification of modes) {
  const { sealing } = base
  const mail = { sealing, delivers: true, verification, signInNotices: true }

  t.test(`in any order, with EMAIL_VERIFICATION=${verification}`, async (t) => {
    const done = new Map<string, number>()
    let passed = 0
    let taken = 0
    const property = fc.asyncProperty(mailAt, orders, async (at, order) => {
      const world: World = {
        services: base,
        inbox,
        address: `${randomUUID()}@example.com`,
        owner: person('owner'),
        stranger: person('stranger'),
        proved: false,
        actor: { type: 'anonymous', source: 'api', ip: '192.0.2.1' },
        done
      }
      for (const [index, { byOwner, name }] of order.entries()) {
        if (index === at) world.services = { ...base, mail }
        await steps[name]?.(world, byOwner ? world.owner : world.stranger)
        await strangerIsOut(world)
      }
      world.services = { ...base, mail }
      if (world.stranger.sessions.length > 0) taken++
      await nothingOfStrangerWorks(world)
      await ownerGetsIn(world)
      await nothingOfStrangerWorks(world)
      if (++passed % 500 === 0) tellProgress(`${verification}: ${passed} of ${runs} orders`)
    })
    const numRuns = Math.ceil(runs / lanes)
    await Promise.all(
      Array.from({ length: lanes }, () =>
        fc.assert(property, { numRuns, examples: [[0, example]] })
      )
    )
    t.equal(passed, numRuns * lanes)
    // A model in which nothing succeeds would show nothing.
    t.ok(taken > passed / 20, `the stranger was in an account in ${taken} of ${passed} orders`)
    for (const { name } of everything) t.ok(done.get(`owner: ${name}`), `owner: ${name}`)
    if (process.env.PROVIDER_ORDERS) t.comment(JSON.stringify(Object.fromEntries(done), null, 1))
  })
}
