import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { contextAt, contextOfUser, evaluateAll } from '../src/domain/flags/evaluation.ts'
import { conditions, flagsWith } from './flags.ts'
import { atMost, median, round, save } from './figures.ts'
import { onThisNode, portalVersion } from './peers.ts'
import { shuffled } from './timing.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 15) * 10
const evaluations = 10

interface Caller {
  id: string
  country: string
  roles: string[]
}
/** Its flags as a library returns them; `flagKey` is the key in flagd. */
type Evaluate = (
  caller: Caller
) => { key?: string; flagKey?: string; value?: unknown; reason?: string }[]

/**
 * Measures a bulk evaluation of 200 flags with ten rules each beside libraries that are given the
 * same flags. They take turns in one process, in random order, and are compared round by round.
 */
export async function flagPeers() {
  const flags = flagsWith(conditions)
  const tests = [...flags.values()].map(({ key, rules }) => ({
    key,
    rules: rules.slice(0, -1).map(({ when: { attributes, users, rolesAny } }) => {
      const [condition] = attributes ?? []
      if (condition) return [condition.name, condition.values]
      return users ? ['id', users] : ['roles', rolesAny]
    })
  }))
  const portal: Evaluate = ({ id, country, roles }) =>
    evaluateAll(
      flags,
      contextAt(contextOfUser({ id, roles }, { country }), { segments: new Map(), now: 0 })
    ).flags
  // Its packages are not there where the types are checked.
  const file = path.join(import.meta.dirname, 'servers/flag-engines.mjs')
  const { engines } = (await import(pathToFileURL(file).href)) as {
    engines: Record<string, (flags: typeof tests) => Evaluate | Promise<Evaluate>>
  }
  const names = Object.keys(engines).map((name) => ({ name, package: name }))
  const { peers, skipped } = onThisNode(names)
  const all = [{ name: 'portal', version: portalVersion, evaluate: portal, times: [] as number[] }]
  for (const { name, version } of peers) {
    const evaluate = await engines[name]?.(tests)
    if (!evaluate) continue
    assertRight(name, evaluate, portal)
    all.push({ name, version, evaluate, times: [] })
  }

  for (let turn = -10; turn < rounds; turn++) {
    for (const { evaluate, times } of shuffled(all)) {
      const before = process.cpuUsage()
      for (let n = 0; n < evaluations; n++) evaluate(aVisitor(turn * evaluations + n))
      const { user, system } = process.cpuUsage(before)
      if (turn >= 0) times.push((user + system) / evaluations)
    }
  }
  const [own = []] = all.map(({ times }) => times)
  const ratios = all.map(({ times }) => own.map((time, turn) => time / (times[turn] ?? NaN)))
  const table = all.map(({ name, version, times }, n) => ({
    name,
    version,
    'processor µs': round(median(times)),
    'portal to it': round(median(ratios[n] ?? []))
  }))
  console.table(table)
  save(
    'flag-peers',
    table
      .map(({ name }, n) =>
        atMost(`processor time of a bulk evaluation, to that of ${name}`, ratios[n] ?? [], 0.95)
      )
      .slice(1),
    { flags: flags.size, rounds, evaluations, skipped, table }
  )
}

const aVisitor = (n: number): Caller => ({ id: `visitor-${n}`, country: 'FR', roles: ['guest'] })

/**
 * Where a rule decides, the value is that of the portal. A split has a hash of its own in each: it
 * is on for half.
 */
function assertRight(name: string, evaluate: Evaluate, portal: Evaluate) {
  for (const change of [{ country: 'AT' }, { roles: ['staff'] }, { id: 'user-7-1' }]) {
    const caller = { ...aVisitor(0), ...change }
    const found = new Map(evaluate(caller).map((flag) => [flag.key ?? flag.flagKey, flag.value]))
    for (const { key, value, reason } of portal(caller)) {
      const theirs = found.get(key)
      if (reason === 'SPLIT' ? typeof theirs === 'boolean' : theirs === value) continue
      throw new Error(`${name}: ${key} is ${String(theirs)} for ${JSON.stringify(change)}`)
    }
  }
  const values = Array.from({ length: 100 }, (_, n) => evaluate(aVisitor(n))).flat()
  const on = values.filter(({ value }) => value === true).length / values.length
  if (Math.abs(on - 0.5) > 0.02) throw new Error(`${name} splits by ${on}`)
}
