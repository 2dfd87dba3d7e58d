import t from 'tap'
import { transaction } from '../../db/transaction.ts'
import { loadApp } from '../../src/base/load.ts'
import { syncRegistry } from '../../src/domain/access/registry.ts'
import { operator, testDatabase } from '../support/app.ts'
import { testConsole } from '../support/console.ts'
import { appFolder, greeter } from '../support/app-folder.ts'
import { recordOwn } from './own-app.ts'

t.test('the console knows the words of an app, and does not serve its routes', async (t) => {
  const ownApp = await loadApp(
    appFolder(t, {
      ...greeter,
      'portal.js': `import { defineApp } from 'portal'
        export default defineApp({
          permissions: { 'greetings:read': 'Read greetings' },
          actions: { 'greeting.send': { when: 'a greeting is sent' } }
        })`
    })
  )
  const database = await testDatabase(t)
  await syncRegistry(database.db, ownApp.definition)
  const { call } = await testConsole(t, { database, ownApp })
  t.equal((await call('GET', '/api/greeting')).statusCode, 404)
  t.match((await call('GET', '/api/admin/permissions/greetings:read')).json(), {
    description: 'Read greetings'
  })
  await transaction(database.db, (tx) => recordOwn(tx, operator, 'greeting.send'))
  const records = (await call('GET', '/api/admin/activity?action=greeting.send')).json<{
    items: object[]
  }>()
  t.match(records.items, [{ action: 'greeting.send', when: 'a greeting is sent' }])
})
