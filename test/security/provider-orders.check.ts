import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { defaultBudgets, parseBudgets } from '../../src/config/budgets.ts'
import { testApp } from '../support/app.ts'
import { tellProgress } from '../support/progress.ts'
import { startMailServer } from '../mail/server.ts'
import { noProviderWorks, providerSteps, startProviders } from './provider-steps.ts'
import type { ProviderWorld } from './provider-steps.ts'
import { nothingWorks, ownAccount, wayBack } from './way-back-claims.ts'
import { openInbox } from './way-back-inbox.ts'
import { liveSession, newAddress, person } from './way-back-people.ts'
import { steps } from './way-back-steps.ts'

// The owner of a mailbox and a stranger register, confirm, recover, link, unlink, sign in and set up
// second factors in random orders: `npm run check -- providers` tries 10,000.

const modes = ['off', 'optional', 'required'] as const
const runs = Math.ceil(Number(process.env.PROVIDER_ORDERS ?? 60) / modes.length)
const own = [
  ...['register', 'confirm', 'signIn', 'signInWithPasskey', 'enrol', 'addPasskey', 'recover'],
  ...['confirmAddress', 'changePassword', 'authenticateAgain', 'needFactor']
]
const names = [...own, ...Object.keys(providerSteps), 'register', 'signIn', 'recover']
/** What has happened before, so that the steps have something to meet. */
const beginnings: Record<string, (world: ProviderWorld) => Promise<unknown>> = {
  nothing: async () => {},
  'the stranger has registered': async (world) => steps.register?.(world, world.other),
  'the owner came with a provider': async (world) =>
    providerSteps['sign in with mailbox']?.(world, world.owner),
  'the owner has recovered an account': async (world) => {
    await steps.register?.(world, world.owner)
    await steps.confirm?.(world, world.owner)
    await steps.recover?.(world, world.owner)
    await steps.signIn?.(world, world.owner)
  }
}
const beginning = fc.constantFrom(...Object.keys(beginnings))
const orders = fc.array(
  fc.record({
    byOwner: fc.boolean(),
    name: fc.constantFrom(...names, ...Object.keys(providerSteps))
  }),
  { minLength: 4, maxLength: 14 }
)
/** No attempt waits for another one. */
const unlimited = Object.fromEntries(
  Object.keys(defaultBudgets(true)).map((name) => [name, '900000/0.001'])
) as ReturnType<typeof defaultBudgets>

for (const mode of modes) {
  t.test(`with EMAIL_VERIFICATION=${mode}`, async (t) => {
    const server = await startMailServer(t, { tls: 'none' })
    const { servers, providers } = await startProviders(t)
    const app = await testApp(t, {
      EMAIL_VERIFICATION: mode,
      MAIL_URL: server.url,
      MAIL_FROM: 'portal@example.com',
      providers,
      ...parseBudgets(unlimited)
    })
    const inbox = openInbox(t, app, server)
    const done = new Map<string, number>()
    let passed = 0
    let taken = 0

    await fc.assert(
      fc.asyncProperty(beginning, orders, async (first, order) => {
        const address = newAddress()
        const world: ProviderWorld = {
          app,
          inbox,
          servers,
          address,
          owner: person('owner', address),
          other: person('stranger'),
          done,
          ip: `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
        }
        const { owner, other } = world
        await beginnings[first]?.(world)
        for (const { byOwner, name } of order) {
          const step = providerSteps[name] ?? steps[name]
          if (!step) throw new Error(`there is no step ${name}`)
          await step(world, byOwner ? owner : other)
        }
        if (await liveSession(world, other)) taken++
        const account = await ownAccount(world, await wayBack(world))
        await noProviderWorks(world, account)
        await nothingWorks(world, account)
        await noProviderWorks(world, account)
        if (++passed % 250 === 0) tellProgress(`${mode}: ${passed} of ${runs} orders`)
      }),
      { numRuns: runs }
    )
    t.equal(passed, runs)
    t.ok(taken > 0, `the stranger was inside before in ${taken} of ${runs} orders`)
    // A model in which nothing succeeds would show nothing.
    const needed = ['owner: sign in with mailbox', 'owner: link hearsay']
    const rare = ['owner: confirm with hearsay', 'owner: unlink', 'owner: link mailbox']
    for (const step of runs < 200 ? needed : [...needed, ...rare]) {
      t.ok(done.get(step), `${step}: ${done.get(step) ?? 0}`)
    }
    if (process.env.PROVIDER_ORDERS) t.comment(JSON.stringify(Object.fromEntries(done), null, 1))
  })
}
