import assert from 'node:assert/strict'
import test from 'node:test'
import { testApp, twoCallers } from 'portal/testing'

const app = await testApp(test)

test('users read their own notes only', async () => {
  const [ada, bob] = await twoCallers(app)
  const written = await ada.call('POST', '/api/notes', { text: 'Ask Charles' })
  assert.equal(written.statusCode, 201)

  const own = await ada.call('GET', '/api/notes')
  assert.deepEqual(own.json(), [written.json()])
  const ofBob = await bob.call('GET', '/api/notes')
  assert.deepEqual(ofBob.json(), [])
})

test('a note needs a text, and its author a session', async () => {
  const [ada] = await twoCallers(app)
  assert.equal((await ada.call('POST', '/api/notes', { text: '' })).statusCode, 400)
  assert.equal((await app.inject('/api/notes')).statusCode, 401)
})
