import t from 'tap'
import {
  clientsFinding,
  commandFindings,
  proxyFindings
} from '../../src/commands/proxy-findings.ts'
import { activity } from '../../db/schema/activity.ts'
import { randomId } from '../../src/domain/crypto.ts'
import { ownApp, testDatabase, testDatabaseUrl } from '../support/app.ts'
import { production } from './production-server.ts'
import { portal } from './run.ts'

const config = {
  HOST: '127.0.0.1',
  PUBLIC_ORIGIN: 'https://portal.example.com',
  TRUST_PROXY: ['127.0.0.1']
}
const onAll = { ...config, HOST: '0.0.0.0' }
const machine = ['127.0.0.1', '::1', '10.0.0.5', 'fe80::1']
const results = (...args: Parameters<typeof proxyFindings>) =>
  proxyFindings(...args).map(({ check, result }) => `${check} ${result}`)

t.test('a proxy on the same machine and loopback as host are right', async (t) => {
  t.same(results(config), ['proxy ok', 'network ok'])
  t.same(results({ ...config, HOST: 'localhost', TRUST_PROXY: ['::1'] }), [
    'proxy ok',
    'network ok'
  ])
  t.same(results({ ...config, HOST: '127.0.0.1', TRUST_PROXY: ['127.0.0.0/8'] }), [
    'proxy ok',
    'network ok'
  ])
})

t.test('doctor says when no proxy that can connect is trusted', async (t) => {
  const [finding] = proxyFindings({ ...config, TRUST_PROXY: ['10.0.0.0/8'] })
  t.match(finding, {
    result: 'warning',
    finding: /^HOST is 127\.0\.0\.1, .* TRUST_PROXY does not contain its address/,
    todo: 'Set TRUST_PROXY=127.0.0.1'
  })
  t.same(results({ ...config, HOST: '::1' }), ['proxy warning', 'network ok'])
})

t.test('doctor says when clients can go around the proxy', async (t) => {
  const [, around] = proxyFindings({ ...onAll, METRICS_PORT: 9464 }, [...machine, '8.8.4.4'])
  t.match(around, {
    result: 'warning',
    finding:
      'HOST is 0.0.0.0: clients can go around the proxy, to 8.8.4.4, and METRICS_PORT as well',
    todo: /HOST=127\.0\.0\.1/
  })
  const elsewhere = { ...onAll, TRUST_PROXY: ['10.0.0.0/8'] }
  t.same(results(elsewhere, [...machine, '8.8.4.4']), ['proxy ok', 'network warning'])
  t.same(results({ ...elsewhere, HOST: '8.8.4.4' }), ['proxy ok', 'network warning'])
  const [, inside] = proxyFindings(onAll, machine)
  t.match(inside, { result: 'warning', finding: /to 10\.0\.0\.5$/ }, 'the proxy is on this machine')
})

t.test('a private address for a proxy elsewhere, and a container, are right', async (t) => {
  const elsewhere = { ...onAll, TRUST_PROXY: ['10.0.0.0/8'] }
  t.same(results(elsewhere, machine), ['proxy ok', 'network ok'])
  t.same(results({ ...elsewhere, HOST: '10.0.0.5' }), ['proxy ok', 'network ok'])
  t.same(results({ ...elsewhere, HOST: 'portal.internal' }), ['proxy ok', 'network ok'])
  t.same(results({ ...onAll, PUBLIC_ORIGIN: 'http://localhost:3000', TRUST_PROXY: [] }), [
    'proxy ok'
  ])
})

t.test('doctor says when all sign-ins have the address of a proxy', async (t) => {
  const { db } = await testDatabase(t)
  const add = (count: number, ip: string) =>
    db.insert(activity).values(
      Array.from({ length: count }, () => ({
        id: randomId(),
        action: 'auth.login' as const,
        outcome: 'failure' as const,
        actorType: 'anonymous' as const,
        source: 'api' as const,
        ip
      }))
    )
  await add(9, '127.0.0.1')
  t.match(await clientsFinding(db, config), { result: 'ok' }, 'too few to tell')
  await add(1, '127.0.0.1')
  t.match(await clientsFinding(db, config), {
    result: 'warning',
    finding: 'the latest 10 sign-ins all have the address 127.0.0.1',
    todo: /TRUST_PROXY/
  })
  t.match(await clientsFinding(db, { ...config, PUBLIC_ORIGIN: 'http://localhost:3000' }), {
    result: 'ok'
  })
  await add(1, '8.8.4.4')
  t.match(await clientsFinding(db, config), { result: 'ok' })
})

t.test('portal doctor prints both findings', async (t) => {
  const env = {
    ...production(),
    PUBLIC_ORIGIN: 'https://portal.example.com',
    HOST: '127.0.0.1',
    TRUST_PROXY: '10.0.0.0/8',
    DATABASE_URL: await testDatabaseUrl(t)
  }
  const { stdout } = await portal(['doctor'], { env })
  t.match(stdout, /! proxy: HOST is 127\.0\.0\.1.*\n {4}Set TRUST_PROXY=127\.0\.0\.1\n/)
  t.match(stdout, /✓ network: only this machine can connect\n/)
  t.match(stdout, /✓ clients: /)
})

t.test('doctor says when the commands of other systems can be reached by the proxy', async (t) => {
  const origin = async (changes: Parameters<typeof ownApp>[1]) => {
    const app = await ownApp(t, changes)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    return { PUBLIC_ORIGIN: address, MACHINE_ADMIN: 'on', MACHINE_LISTEN: '8081' } as const
  }
  const open = await origin({ MACHINE_ADMIN: 'on' })
  const [reachable] = await commandFindings(open)
  t.match(reachable, {
    ...{ check: 'commands', result: 'problem' },
    finding: `${open.PUBLIC_ORIGIN} leads to the commands, although MACHINE_LISTEN serves them`
  })
  const [closed] = await commandFindings(await origin({}))
  t.same(closed, { check: 'commands', result: 'ok', finding: 'served on 8081 only' })
  const [without] = await commandFindings({ ...open, MACHINE_LISTEN: undefined })
  t.match(without, { result: 'warning', todo: /^Set MACHINE_LISTEN/ })
  const [unknown] = await commandFindings({ ...open, PUBLIC_ORIGIN: 'http://127.0.0.1:1' })
  t.match(unknown, { result: 'ok', finding: /did not say where else$/ })
  t.same(await commandFindings({ ...open, MACHINE_ADMIN: 'off' }), [])
})
