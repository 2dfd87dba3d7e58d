import type { AddressInfo } from 'node:net'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature as Server } from '@openfeature/server-sdk'
import { OpenFeature as Web, ProviderEvents } from '@openfeature/web-sdk'
import type { Provider } from '@openfeature/web-sdk'
import t from 'tap'
import { createFlag, updateFlag } from '../../../../src/domain/flags/flags.ts'
import { restoreFlag } from '../../../../src/domain/flags/restore.ts'
import { createSegment, updateSegment } from '../../../../src/domain/flags/segments.ts'
import { aCaller, operator, ownApp, until } from '../../../support/app.ts'

// The OpenFeature SDKs, used like in an app and in a server, against a server in production mode.

const app = await ownApp(t, { development: false, PUBLIC_ORIGIN: 'https://portal.example.com' })
await app.listen({ host: '127.0.0.1', port: 0 })
const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

const flags: Parameters<typeof createFlag>[2][] = [
  {
    key: 'a-boolean',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'on',
    offVariant: 'off'
  },
  {
    key: 'a-string',
    type: 'string',
    variants: { blue: 'blue', red: 'red' },
    defaultVariant: 'blue',
    offVariant: 'red',
    rules: [
      {
        when: { attributes: [{ name: 'country', op: 'in', values: ['DE'] }] },
        serve: { variant: 'red' }
      }
    ]
  },
  {
    key: 'a-number',
    type: 'number',
    variants: { half: 0.5, none: 0 },
    defaultVariant: 'half',
    offVariant: 'none'
  },
  {
    key: 'an-object',
    type: 'object',
    variants: { full: { columns: [1, 2], title: 'Hi' }, empty: {} },
    defaultVariant: 'full',
    offVariant: 'empty'
  },
  {
    key: 'disabled',
    type: 'boolean',
    state: 'disabled',
    variants: { on: true, off: false },
    defaultVariant: 'on',
    offVariant: 'off'
  },
  {
    key: 'a-split',
    type: 'boolean',
    variants: { on: true, off: false },
    defaultVariant: 'off',
    offVariant: 'off',
    rules: [{ when: {}, serve: { split: [{ variant: 'on', weight: 100_000 }] } }]
  },
  {
    key: 'for-the-signed-in',
    type: 'boolean',
    public: false,
    variants: { on: true, off: false },
    defaultVariant: 'on',
    offVariant: 'off'
  }
]
for (const flag of flags) await createFlag(app.db, operator, { public: true, ...flag })

t.test('the server SDK reads every type, its reason and its variant', async (t) => {
  await Server.setProviderAndWait('server', new OFREPProvider({ baseUrl }))
  t.teardown(() => Server.close())
  const client = Server.getClient('server')
  const context = { targetingKey: 'ada', country: 'DE' }
  t.match(await client.getBooleanDetails('a-boolean', false, context), {
    value: true,
    variant: 'on',
    reason: 'STATIC'
  })
  t.match(await client.getStringDetails('a-string', '', context), {
    value: 'red',
    variant: 'red',
    reason: 'TARGETING_MATCH'
  })
  t.match(await client.getStringDetails('a-string', '', { targetingKey: 'ada' }), {
    value: 'blue',
    reason: 'DEFAULT'
  })
  t.match(await client.getNumberDetails('a-number', 7, context), { value: 0.5, variant: 'half' })
  t.match(await client.getObjectDetails('an-object', {}, context), {
    value: { columns: [1, 2], title: 'Hi' }
  })
  t.match(await client.getBooleanDetails('disabled', true, context), {
    value: false,
    reason: 'DISABLED'
  })
  t.match(await client.getBooleanDetails('a-split', false, context), {
    value: true,
    reason: 'SPLIT'
  })
  t.equal(await client.getBooleanValue('a-boolean', false), true, 'without a context')
})

t.test('the server SDK falls back to the default of the caller', async (t) => {
  await Server.setProviderAndWait('fallback', new OFREPProvider({ baseUrl }))
  t.teardown(() => Server.close())
  const client = Server.getClient('fallback')
  t.match(await client.getBooleanDetails('no-such-flag', true, {}), {
    value: true,
    reason: 'ERROR',
    errorCode: 'FLAG_NOT_FOUND'
  })
  t.match(await client.getBooleanDetails('for-the-signed-in', false, {}), {
    value: false,
    errorCode: 'FLAG_NOT_FOUND'
  })
  t.match(await client.getBooleanDetails('a-string', true, {}), {
    value: true,
    errorCode: 'TYPE_MISMATCH'
  })
  t.match(await client.getNumberDetails('a-boolean', 7, {}), {
    value: 7,
    errorCode: 'TYPE_MISMATCH'
  })
  t.match(await client.getBooleanDetails('a-split', false, {}), {
    value: false,
    errorCode: 'TARGETING_KEY_MISSING'
  })
})

t.test(
  'the server SDK reports why a host that the portal does not serve gets no flags',
  async (t) => {
    const config = { development: false, PUBLIC_ORIGIN: 'https://a.example.com', ALLOWED_HOSTS: [] }
    const foreign = await ownApp(t, config)
    await foreign.listen({ host: '127.0.0.1', port: 0 })
    const internal = `http://127.0.0.1:${(foreign.server.address() as AddressInfo).port}`
    const reason = /host name of the request is neither .* `ALLOWED_HOSTS`/
    await Server.setProviderAndWait('internal', new OFREPProvider({ baseUrl: internal }))
    t.teardown(() => Server.close())
    t.match(await Server.getClient('internal').getBooleanDetails('a-boolean', true, {}), {
      value: true,
      errorCode: 'GENERAL',
      errorMessage: reason
    })
  }
)

t.test('a server that forwards the cookie of its user gets the flags of that user', async (t) => {
  const { cookie } = await aCaller(app)
  await Server.setProviderAndWait(
    'cookie',
    new OFREPProvider({ baseUrl, headers: [['cookie', cookie]] })
  )
  t.teardown(() => Server.close())
  const client = Server.getClient('cookie')
  t.equal(await client.getBooleanValue('for-the-signed-in', false), true)
  t.match(
    await client.getBooleanDetails('a-split', false),
    { value: true, reason: 'SPLIT' },
    'the user is the targeting key'
  )
})

t.test(
  'the web SDK starts without a context, applies its change, and polls with 304 until a flag changes',
  async (t) => {
    const statuses: number[] = []
    const counting: typeof fetch = async (...call) => {
      const response = await fetch(...call)
      statuses.push(response.status)
      return response
    }
    await Web.setProviderAndWait(
      'web',
      // Its types are not written for exactOptionalPropertyTypes.
      new OFREPWebProvider({ baseUrl, pollInterval: 50, fetchImplementation: counting }) as Provider
    )
    t.teardown(() => Web.close())
    const client = Web.getClient('web')
    t.equal(client.getBooleanValue('a-boolean', false), true)
    t.match(client.getStringDetails('a-string', ''), { value: 'blue', reason: 'DEFAULT' })
    t.equal(client.getNumberValue('a-number', 7), 0.5)
    t.same(client.getObjectValue('an-object', {}), { columns: [1, 2], title: 'Hi' })
    t.match(client.getBooleanDetails('disabled', true), { value: false, reason: 'DISABLED' })
    t.match(client.getBooleanDetails('no-such-flag', true), {
      value: true,
      errorCode: 'FLAG_NOT_FOUND'
    })
    t.match(client.getBooleanDetails('a-string', true), { value: true, errorCode: 'TYPE_MISMATCH' })
    t.match(client.getBooleanDetails('a-split', false), {
      value: false,
      errorCode: 'TARGETING_KEY_MISSING'
    })

    await Web.setContext('web', { targetingKey: 'ada', country: 'DE' })
    t.equal(client.getStringValue('a-string', ''), 'red')
    t.equal(client.getBooleanValue('a-split', false), true)

    const polled = statuses.length
    await until(() => statuses.slice(polled).filter((status) => status === 304).length >= 3)
    const changed = new Promise((resolve) =>
      client.addHandler(ProviderEvents.ConfigurationChanged, resolve)
    )
    await updateFlag(app.db, operator, { key: 'a-boolean', changes: { state: 'disabled' } })
    await changed
    t.equal(client.getBooleanValue('a-boolean', true), false)
  }
)

t.test(
  'a segment, a restored version and a scheduled change reach apps by themselves',
  async (t) => {
    await createSegment(app.db, operator, { key: 'pilots', when: { users: ['ada'] } })
    const flag = (key: string, when: object) =>
      createFlag(app.db, operator, {
        ...{ key, type: 'boolean', variants: { on: true, off: false }, public: true },
        ...{ defaultVariant: 'off', offVariant: 'off', rules: [{ when, serve: { variant: 'on' } }] }
      })
    await flag('by-segment', { segmentsAny: ['pilots'] })
    await flag('restored', {})
    await Web.setContext('changing', { targetingKey: 'ada' })
    const web = new OFREPWebProvider({ baseUrl, pollInterval: 50 }) as Provider
    await Web.setProviderAndWait('changing', web)
    await Server.setProviderAndWait('changing', new OFREPProvider({ baseUrl }))
    t.teardown(async () => Promise.all([Web.close(), Server.close()]))
    const inWeb = Web.getClient('changing')
    const inServer = Server.getClient('changing')
    const both = async (key: string) => [
      inWeb.getBooleanValue(key, false),
      await inServer.getBooleanValue(key, false, { targetingKey: 'ada' })
    ]
    const become = (key: string, value: boolean) =>
      until(async () => (await both(key)).every((each) => each === value))
    t.same(await both('by-segment'), [true, true])
    const nobody = { when: { users: ['grace'] } }
    await updateSegment(app.db, operator, { key: 'pilots', changes: nobody })
    await become('by-segment', false)

    await updateFlag(app.db, operator, { key: 'restored', changes: { rules: [] } })
    await become('restored', false)
    await restoreFlag(app.db, operator, { key: 'restored', version: 1 })
    await become('restored', true)

    const from = Date.now() + 1000
    await flag('scheduled', { from: new Date(from).toISOString() })
    await until(async () => {
      const values = await both('scheduled')
      if (Date.now() < from) t.same(values, [false, false], 'not before its time')
      return values.every(Boolean)
    })
  }
)
