import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { newSecret, signedHeaders } from '../../../src/domain/webhooks/signature.ts'
import { debianProgram } from '../../resilience/debian.ts'
import { root } from '../../support/root.ts'

// Debian has no library for Standard Webhooks, so this one is written from its text.

const python = await debianProgram('python3')
const script = path.join(root, 'test/domain/webhooks/verify.py')
type Message = { secret: string; headers: Record<string, string>; body: string }

async function accepted(messages: Message[]) {
  const running = promisify(execFile)(python, [script])
  running.child.stdin?.end(JSON.stringify(messages))
  return JSON.parse((await running).stdout) as boolean[]
}

t.test('a verifier in another language accepts messages, and no changed ones', async (t) => {
  const signed = Array.from({ length: 100 }, (_, n): Message & { former: string } => {
    const [secret, former] = [newSecret(), newSecret()]
    const body = JSON.stringify({ type: 'user.update', name: `Zoë 🦊 ${randomBytes(n)}` })
    return { secret, former, headers: signedHeaders([secret, former], randomUUID(), body), body }
  })
  const all = (result: boolean) => signed.map(() => result)
  const changed = (change: (message: (typeof signed)[number]) => Partial<Message>) =>
    accepted(
      signed.map((each) => {
        const { secret, headers, body } = { ...each, ...change(each) }
        return { secret, headers, body }
      })
    )
  const header = (name: string, value: string) =>
    changed(({ headers }) => ({ headers: { ...headers, [name]: value } }))
  const now = Math.floor(Date.now() / 1000)
  t.same(await changed(() => ({})), all(true))
  t.same(await changed(({ former }) => ({ secret: former })), all(true), 'the former secret')
  t.same(await changed(() => ({ secret: newSecret() })), all(false), 'another secret')
  t.same(await changed(({ body }) => ({ body: `${body} ` })), all(false), 'another body')
  t.same(await header('webhook-id', randomUUID()), all(false), 'another id')
  t.same(await header('webhook-timestamp', String(now + 60)), all(false), 'another time')
})
