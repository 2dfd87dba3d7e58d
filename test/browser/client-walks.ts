import type { Test } from 'tap'
import { aUser, password, until } from '../support/app.ts'
import { anAppFor, letProofsAge } from '../support/second-factors.ts'
import type { AppWindow, startClientApp } from './client-page.ts'
import type { Tab, TestBrowser } from './client-tabs.ts'

type World = Pick<Awaited<ReturnType<typeof startClientApp>>, 'app' | 'network'>

const userIn = (tab: Tab) =>
  tab.run(({ portal }) => {
    const { value } = portal.session
    return value.is === 'signed-in' ? value.user.id : value.is
  })
const isIn = (tab: Tab, expected: string) => until(async () => (await userIn(tab)) === expected)
const signIn = (tab: Tab, { email }: { email: string }) =>
  tab.run(
    async ({ portal }, body) => {
      const session = await portal.signIn(body)
      return session.is
    },
    { email, password }
  )
const signOut = (tab: Tab) => tab.run(({ portal }) => portal.signOut())
/** The code with which a call is rejected, or its status. */
const rename = (tab: Tab, name: string) =>
  tab.run(
    ({ portal }, name) =>
      portal.api
        .PUT('/api/user/name', { body: { name } })
        .then(({ error, response }) => error?.code ?? String(response.status)),
    name
  )
const endedIn = (tab: Tab) => tab.run(({ ended }) => ended)

/** Walks with two tabs of an app, in a browser with each kind of network. */
export async function walk(t: Test, browser: TestBrowser, { app, network }: World) {
  for (const kind of ['fast', 'slow', 'lost'] as const) {
    /** Does something. Where requests are lost, it fails first and changes nothing. */
    const act = async <T>(t: Test, tab: Tab, work: () => Promise<T>) => {
      if (kind === 'lost') {
        const before = await userIn(tab)
        network.is = 'lost'
        await t.rejects(work(), /TypeError|Failed to fetch/)
        t.equal(await userIn(tab), before)
        network.is = 'fast'
      }
      return work()
    }
    const walkWith = (name: string, work: (t: Test) => Promise<void>) =>
      t.test(`${name}, on a ${kind} network`, async (t) => {
        network.is = kind === 'slow' ? 'slow' : 'fast'
        await work(t).finally(() => {
          network.is = 'fast'
          return browser.forget()
        })
      })

    await walkWith('a sign-out in one tab is seen in the other at once', async (t) => {
      const user = await aUser(app.database)
      const [one, other] = [await browser.open(), await browser.open()]
      await act(t, one, () => signIn(one, user))
      await isIn(other, user.id)
      await act(t, one, () => signOut(one))
      await isIn(other, 'signed-out')
      t.same(await endedIn(other), [user.id])
      t.same(await endedIn(one), [])
    })

    await walkWith('nothing is sent as the user who signed in elsewhere', async (t) => {
      const [ada, grace] = [await aUser(app.database), await aUser(app.database)]
      const [one, other] = [await browser.open(), await browser.open()]
      await act(t, one, () => signIn(one, ada))
      await isIn(other, ada.id)
      await act(t, other, () => signIn(other, grace))
      await isIn(one, grace.id)
      t.same(await endedIn(one), [ada.id])
      t.equal(await act(t, one, () => rename(one, 'By Grace')), '200')
    })

    await walkWith('three calls that need a proof ask once, and lose nothing', async (t) => {
      const tab = await browser.open()
      const user = await aUser(app.database)
      await signIn(tab, user)
      await letProofsAge(app, user)
      const callThree = () =>
        tab.run(async ({ portal }) => {
          const call = () => portal.api.POST('/api/user/passkeys/options')
          const results = await Promise.all([call(), call(), call()])
          return results.map(({ response }) => response.status)
        })
      if (kind === 'lost') {
        network.is = 'lost'
        await t.rejects(callThree(), /TypeError|Failed to fetch/)
        network.is = 'fast'
      }
      const calls = callThree()
      await until(() => tab.run(({ asked }) => asked === 1))
      await act(t, tab, () =>
        tab.run(
          async ({ portal, answer }, password) => answer(await portal.proof.password(password)),
          password
        )
      )
      t.same(await calls, [200, 200, 200])
      t.equal(await tab.run(({ asked }) => asked), 1)
      t.equal(await userIn(tab), user.id, 'who is still signed in')
    })

    await walkWith('a sign-in waits for its second factor, also in another tab', async (t) => {
      const user = await aUser(app.database)
      const { code } = await anAppFor(app, user)
      const one = await browser.open()
      t.equal(await act(t, one, () => signIn(one, user)), 'second-factor')
      const look = ({ portal }: Pick<AppWindow, 'portal'>) =>
        portal.session.look().then(({ is }) => is)
      t.equal(await one.run(look), 'second-factor')
      const other = await browser.open()
      const pending = () => other.run(({ portal }) => portal.pending().then(({ is }) => is))
      t.equal(await act(t, other, pending), 'second-factor')
      const proof = await code()
      const verify = () =>
        other.run(({ portal }, code) => portal.verify({ code }).then(({ is }) => is), proof)
      t.equal(await act(t, other, verify), 'signed-in')
      await isIn(one, user.id)
    })

    await walkWith('a provider of another site signs in, and the other tab sees it', async (t) => {
      const [one, other] = [await browser.open(), await browser.open()]
      const leave = () => one.run(({ portal }) => portal.signInWith('acme', { returnTo: '/page' }))
      if (kind === 'lost') {
        network.is = 'lost'
        await t.rejects(leave(), /TypeError|Failed to fetch/)
        network.is = 'fast'
      }
      await leave().catch(() => {}) // the page may be gone before it says so
      await one.choose('Nora Field')
      const isSignedIn = (tab: Tab) =>
        until(() =>
          tab.run(({ portal }) => portal.session.value.is === 'signed-in').catch(() => false)
        )
      await isSignedIn(one)
      await isSignedIn(other)
      t.equal(await userIn(one), await userIn(other))
    })
  }
}
