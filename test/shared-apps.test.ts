import { mock } from 'node:test'
import t from 'tap'
import { ownApp, testApp } from './support/app.ts'

t.test('tests of the same configuration share an application, and no others', async (t) => {
  const [one, two] = [await testApp(t), await testApp(t)]
  const closed = await testApp(t, { REGISTRATION: 'closed' })
  t.equal(one.server, two.server)
  t.not(one.server, closed.server)
  t.not(one.server, (await ownApp(t)).server)
  t.equal(closed.config.REGISTRATION, 'closed')
})

t.test('a shared application outlives the test that started it', async (t) => {
  const changes = { PRODUCT_NAME: 'Outliving' }
  let server: object | undefined
  await t.test('first', async (t) => {
    ;({ server } = await testApp(t, changes))
    t.ok(server)
  })
  const app = await testApp(t, changes)
  t.equal(app.server, server)
  t.equal((await app.inject('/health')).statusCode, 200)
})

t.test('a change of a shared application is refused with what to do', async (t) => {
  const app = await testApp(t)
  const refused = (what: string) => ({
    message: `Other tests share this application: ${what} is refused. Use ownApp(t).`
  })
  t.throws(() => app.listen(), refused('app.listen'))
  t.throws(() => app.close(), refused('app.close'))
  t.throws(() => app.addHook('onSend', async () => {}), refused('app.addHook'))
  t.throws(() => app.database.close(), refused('app.database.close'))
  t.throws(() => {
    app.context.mail = undefined
  }, refused('app.context.mail'))
  t.throws(() => {
    app.config.REGISTRATION = 'closed'
  }, refused('app.config.REGISTRATION'))
  t.throws(() => {
    if (app.context.mail) app.context.mail.verification = 'required'
  }, refused('app.context.mail.verification'))
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  await t.rejects(testApp(t), refused('starting it with mocked timers'))
})
