import { eq } from 'drizzle-orm'
import { users } from '../db/schema/users.ts'
import { registerUser } from '../src/domain/registration.ts'
import { openToAttack } from '../test/open-to-attack.ts'

// Whether the time of a refused login tells what was wrong: `npm run login-timing -- [tries]`.
// Five kinds of refusal in turn over HTTP, cost 10, budgets raised. Medians must differ by less than 5 %; exit code 1 when they do not.

const tries = Number(process.argv[2] ?? 100)
const allowed = 0.05
const password = 'correct horse battery'

const { app, close } = await openToAttack('portal-bench-timing', { PUBLIC_ORIGIN: 'http://localhost' })

try {
  await measure()
} finally {
  await close()
}

async function measure () {
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const account = async (name: string) => registerUser(app, { type: 'anonymous', source: 'api' }, { email: `${name}@example.com`, password, name })
  const [known, deactivated, without] = [await account('known'), await account('deactivated'), await account('without')]
  await app.db.update(users).set({ status: 'deactivated' }).where(eq(users.id, deactivated.id))
  await app.db.update(users).set({ passwordHash: null }).where(eq(users.id, without.id))
  const kinds = {
    unknown: { email: 'nobody@example.com', password },
    wrong: { email: known.email, password: 'not this one' },
    deactivated: { email: deactivated.email, password },
    'without a hash': { email: without.email, password },
    'over-long': { email: known.email, password: 'x'.repeat(200) }
  }
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
  const order = Object.entries(kinds)
  for (let round = -5; round < tries; round++) { // five to warm up
    order.push(...order.splice(0, 1)) // each kind comes after each other equally often
    for (const [kind, body] of order) {
      const start = performance.now()
      const response = await fetch(`${base}/api/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      await response.arrayBuffer()
      if (response.status !== 401) throw new Error(`${kind} was answered ${response.status}`)
      if (round >= 0) times.get(kind)?.push(performance.now() - start)
    }
  }
  const rows = [...times].map(([kind, all]) => ({ kind, median: quantile(all, 0.5), p10: quantile(all, 0.1), p90: quantile(all, 0.9) }))
  console.table(Object.fromEntries(rows.map(({ kind, ...figures }) => [kind, Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${name} ms`, Number(value.toFixed(2))]))])))
  const medians = rows.map(({ median }) => median)
  const difference = Math.max(...medians) / Math.min(...medians) - 1
  console.log(`The medians of ${tries} tries each differ by ${(difference * 100).toFixed(1)} % at most (allowed: ${allowed * 100} %).`)
  if (difference >= allowed) process.exitCode = 1
}

function quantile (all: number[], share: number) {
  const sorted = all.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? NaN
}
