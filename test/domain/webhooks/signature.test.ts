import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { createSealing } from '../../../src/domain/sealing.ts'
import {
  newSecret,
  sealSecret,
  secretsOf,
  signedHeaders
} from '../../../src/domain/webhooks/signature.ts'

const sealing = createSealing([{ kid: 'a', secret: randomBytes(32) }])
const body = JSON.stringify({ type: 'user.create', timestamp: '2026-01-01T00:00:00.000Z' })

const accepts = (secret: string, text: string, headers: Record<string, string>) => {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}

t.test('a public library verifies a signature, and refuses whatever was changed', async (t) => {
  const secret = newSecret()
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const headers = signedHeaders([secret], 'msg', body)
  t.ok(accepts(secret, body, headers))
  t.notOk(accepts(newSecret(), body, headers), 'another secret')
  t.notOk(accepts(secret, `${body} `, headers), 'another body')
  t.notOk(accepts(secret, body, { ...headers, 'webhook-id': 'other' }), 'another id')
  const later = String(Number(headers['webhook-timestamp']) + 1)
  t.notOk(accepts(secret, body, { ...headers, 'webhook-timestamp': later }), 'another time')
})

t.test('while a former secret is valid, both sign', async (t) => {
  const [secret, formerSecret] = [newSecret(), newSecret()]
  const headers = signedHeaders([secret, formerSecret], 'msg', body)
  t.equal(headers['webhook-signature'].split(' ').length, 2)
  t.ok(accepts(secret, body, headers))
  t.ok(accepts(formerSecret, body, headers))
})

t.test('a former secret is used until its time is over', async (t) => {
  const id = randomUUID()
  const [secret, former] = [newSecret(), newSecret()]
  const row = {
    id,
    secret: sealSecret(sealing, id, secret),
    formerSecret: sealSecret(sealing, id, former)
  }
  const inAMinute = new Date(Date.now() + 60_000)
  t.same(secretsOf(sealing, { ...row, formerUntil: inAMinute }), [secret, former])
  t.same(secretsOf(sealing, { ...row, formerUntil: new Date(Date.now() - 1) }), [secret])
  t.same(secretsOf(sealing, { ...row, formerSecret: null, formerUntil: null }), [secret])
  t.same(secretsOf(sealing, { ...row, id: randomUUID(), formerUntil: null }), [], 'another row')
  const other = createSealing([{ kid: 'b', secret: randomBytes(32) }])
  t.same(secretsOf(other, { ...row, formerUntil: null }), [], 'another key')
})
