import { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { aCaller, testApp } from '../support/app.ts'

const statusOf = async (on: FastifyInstance, host: string) =>
  (await on.inject({ url: '/api/auth/me', headers: { host } })).statusCode

t.test('the portal serves the address in HOST in development, but not in production', async (t) => {
  const here = await testApp(t, { HOST: '127.0.0.2' })
  t.same(
    [await statusOf(here, '127.0.0.2:3000'), await statusOf(here, '127.0.0.3:3000')],
    [401, 421]
  )
  const named = await testApp(t, { HOST: 'Box.lan' })
  t.same(
    [await statusOf(named, 'box.lan:3000'), await statusOf(named, 'box.lan.evil.example')],
    [401, 421]
  )
  const six = await testApp(t, { HOST: 'fd00::2' })
  t.same([await statusOf(six, '[fd00::2]:3000'), await statusOf(six, '[fd00::3]:3000')], [401, 421])
  const production = await testApp(t, {
    development: false,
    HOST: '127.0.0.2',
    PUBLIC_ORIGIN: 'https://portal.example.com'
  })
  t.equal(await statusOf(production, '127.0.0.2:3000'), 421)
})

t.test(
  'a development server on all addresses serves the addresses of this machine and no other host',
  async (t) => {
    const addresses = Object.values(networkInterfaces())
      .flat()
      .flatMap((each) => (each ? [each] : []))
    t.ok(addresses.length > 0)
    for (const HOST of ['0.0.0.0', '::']) {
      const everywhere = await testApp(t, { HOST })
      for (const { address, family } of addresses) {
        t.equal(
          await statusOf(everywhere, `${family === 'IPv6' ? `[${address}]` : address}:3000`),
          401,
          address
        )
      }
      for (const host of ['0.0.0.0:3000', '[::]:3000', '192.0.2.1:3000', 'evil.example']) {
        t.equal(await statusOf(everywhere, host), 421, host)
      }
    }
  }
)

t.test(
  'a page of a development server may write to it, over plain HTTP without Sec-Fetch-Site',
  async (t) => {
    const here = await testApp(t, { HOST: '192.0.2.7' })
    const { cookie } = await aCaller(here)
    const write = async (host: string, origin: string) =>
      (
        await here.inject({
          method: 'PUT',
          url: '/api/user/theme',
          headers: { cookie, host, origin },
          payload: { theme: 'dark' }
        })
      ).statusCode
    t.equal(await write('192.0.2.7:3000', 'http://192.0.2.7:3000'), 200)
    for (const origin of [
      'http://192.0.2.7:4000',
      'http://192.0.2.7',
      'https://192.0.2.7:3000',
      'http://evil.example',
      'null'
    ]) {
      t.equal(await write('192.0.2.7:3000', origin), 403, origin)
    }
    t.equal(await write('evil.example', 'http://evil.example'), 421)
    const production = await testApp(t, {
      development: false,
      PUBLIC_ORIGIN: 'http://localhost:3000'
    })
    const other = await aCaller(production)
    const answer = await production.inject({
      method: 'PUT',
      url: '/api/user/theme',
      headers: { cookie: other.cookie, host: 'localhost:4000', origin: 'http://localhost:4000' },
      payload: { theme: 'dark' }
    })
    t.equal(answer.statusCode, 403, 'not in production')
  }
)

t.test(
  'the portal serves local host names in development, and its own and listed ones in production',
  async (t) => {
    const production = await testApp(t, {
      development: false,
      PUBLIC_ORIGIN: 'https://portal.example.com',
      ALLOWED_HOSTS: ['portal.internal']
    })
    const local = await testApp(t, { ALLOWED_HOSTS: [] })
    const names = {
      local: [
        'localhost',
        'localhost:3000',
        '127.0.0.1:3000',
        '[::1]:3000',
        'LOCALHOST:80',
        'app.localhost:3000'
      ],
      production: [
        'portal.example.com',
        'PORTAL.example.com:443',
        'portal.internal',
        'portal.internal:8080'
      ],
      nobody: [
        'evil.example',
        'evil.example:3000',
        'localhost.evil.example',
        '192.168.0.1',
        'evillocalhost',
        'portal.example.com.evil.example',
        'xportal.example.com',
        'portal.example.com@evil.example',
        'portal.example.com:x',
        '.localhost'
      ]
    }
    for (const host of names.local) {
      t.same([await statusOf(local, host), await statusOf(production, host)], [401, 421], host)
    }
    for (const host of names.production) {
      t.same([await statusOf(local, host), await statusOf(production, host)], [421, 401], host)
    }
    for (const host of names.nobody) {
      t.same([await statusOf(local, host), await statusOf(production, host)], [421, 421], host)
    }
    const refused = await production.inject({
      url: '/api/nothing',
      headers: { host: 'evil.example' }
    })
    t.match(refused.json(), { status: 421, code: 'host-not-allowed' })
    t.equal(
      (await production.inject({ url: '/health', headers: { host: '10.0.0.7' } })).statusCode,
      200,
      'probes of balancers'
    )
  }
)
