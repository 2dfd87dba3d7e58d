import t from 'tap'
import type { Test } from 'tap'
import { captureLog } from '../support/log-capture.ts'
import { ownApp, testDatabase, until } from '../support/app.ts'
import { freePort } from '../support/postgres.ts'

/** An application that trusts this proxy, and what it logs about others. */
async function behind(t: Test, TRUST_PROXY: string[], changes = {}) {
  const { log, output } = captureLog()
  const app = await ownApp(t, { TRUST_PROXY, ...changes }, await testDatabase(t), log)
  return {
    ask: (remoteAddress: string, forwarded?: string) =>
      app.inject({
        url: '/health',
        remoteAddress,
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      }),
    /** The peers in the log, after a line that comes last. */
    async peers() {
      log.warn('the end')
      await until(() => output().includes('the end'))
      return output()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { peer?: string; msg: string })
        .filter(({ msg }) => msg.includes('TRUST_PROXY does not contain this peer'))
        .map(({ peer }) => peer)
    }
  }
}

t.test('a proxy that is not trusted is in the log once, with its address', async (t) => {
  const { ask, peers } = await behind(t, ['10.0.0.0/8'])
  for (let n = 0; n < 3; n++) await ask('127.0.0.1', '203.0.113.7')
  t.same(await peers(), ['127.0.0.1'])
})

t.test('nothing is logged for a trusted proxy, nor for clients that forward nothing', async (t) => {
  const { ask, peers } = await behind(t, ['10.0.0.0/8'])
  await ask('10.1.2.3', '203.0.113.7')
  await ask('::ffff:10.1.2.3', '203.0.113.7')
  await ask('127.0.0.1')
  t.same(await peers(), [])
})

t.test('of a public address, which may be a person, only the network is logged', async (t) => {
  const { ask, peers } = await behind(t, [])
  await ask('8.8.4.4', '203.0.113.7')
  await ask('2001:4860:4860::8844', '203.0.113.7')
  await ask('fd00::7', '203.0.113.7')
  t.same(await peers(), ['8.8.4.0', '2001:4860:4860::', 'fd00::7'])
})

t.test('clients with many addresses cannot fill the log, and a metric counts', async (t) => {
  const METRICS_PORT = await freePort()
  const { ask, peers } = await behind(t, ['10.0.0.0/8'], { METRICS_PORT })
  for (let n = 1; n <= 100; n++) await ask(`192.168.0.${n}`, '203.0.113.7')
  t.equal((await peers()).length, 20)
  const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  t.match(metrics, /^portal_untrusted_proxies 20$/m)
})
