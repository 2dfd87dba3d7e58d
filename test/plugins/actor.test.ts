import { eq } from 'drizzle-orm'
import t from 'tap'
import { activity } from '../../db/schema/activity.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { aUser, password, testApp } from '../support/app.ts'

async function addressOf(
  app: Awaited<ReturnType<typeof testApp>>,
  remoteAddress: string,
  headers: Record<string, string> = {}
) {
  const user = await aUser(app.database)
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress,
    headers,
    payload: { email: user.email, password }
  })
  const { id } = response.json().session
  const [session] = await app.db.select().from(sessions).where(eq(sessions.id, id))
  const [record] = await app.db.select().from(activity).where(eq(activity.targetId, id))
  t.equal(record?.ip, session?.ip, 'session and record agree')
  return session?.ip
}

t.test(
  'without a trusted proxy the client address is that of the peer, whatever the headers claim',
  async (t) => {
    const app = await testApp(t)
    t.equal(
      await addressOf(app, '203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }),
      '203.0.113.7'
    )
    t.equal(await addressOf(app, '::ffff:203.0.113.7'), '203.0.113.7')
    t.equal(await addressOf(app, '2001:db8::1'), '2001:db8::1')
  }
)

t.test(
  'behind trusted proxies the client address is the last one that is not a trusted proxy',
  async (t) => {
    const app = await testApp(t, { TRUST_PROXY: ['10.0.0.0/8'] })
    t.equal(
      await addressOf(app, '10.1.2.3', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 10.9.9.9' }),
      '198.51.100.1'
    )
    t.equal(
      await addressOf(app, '203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }),
      '203.0.113.7',
      'others are not believed'
    )
    t.equal(
      await addressOf(app, '10.1.2.3', { 'x-forwarded-for': 'nonsense' }),
      '10.1.2.3',
      'invalid addresses are ignored'
    )
  }
)

t.test('a forwarded client address may include a port', async (t) => {
  const app = await testApp(t, { TRUST_PROXY: ['10.0.0.0/8'] })
  const forwarded = (text: string) => addressOf(app, '10.1.2.3', { 'x-forwarded-for': text })
  t.equal(await forwarded('1.2.3.4:5678'), '1.2.3.4')
  t.equal(await forwarded('[2001:db8::1]:443'), '2001:db8::1')
  t.equal(
    await forwarded('198.51.100.1:1234, 10.9.9.9:80'),
    '198.51.100.1',
    'also behind a proxy with a port'
  )
})

t.test('the user agent is cut to 256 characters, without control characters', async (t) => {
  const app = await testApp(t)
  const user = await aUser(app.database)
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'user-agent': `a\tb${'x'.repeat(300)}` },
    payload: { email: user.email, password }
  })
  const [session] = await app.db
    .select()
    .from(sessions)
    .where(eq(sessions.id, response.json().session.id))
  t.equal(session?.userAgent, `ab${'x'.repeat(254)}`)
})
