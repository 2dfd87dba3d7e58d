import { readFileSync } from 'node:fs'

// npm run nightly: what a scheduler would start every night. It has no session: its API key belongs to
// the service `reporting`, which may read invoices. Other users of the machine can see arguments and
// the environment, so the key is in a file.
const { APP = 'http://localhost:5173', KEY_FILE = '.data/reporting.key' } = process.env
const key = readFileSync(KEY_FILE, 'utf8').trim()

const response = await fetch(`${APP}/api/invoices`, {
  headers: { authorization: `Bearer ${key}` },
  signal: AbortSignal.timeout(30_000)
})
const answer = await response.json()
if (response.status !== 200) throw new Error(`${response.status}: ${answer.detail}`)
console.log(`${answer.items.length} invoices, read as the service ${answer.service}`)
