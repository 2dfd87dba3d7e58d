import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { atLeast, atMost, below, results, spreadOf } from '../../bench/figures.ts'
import type { Claim, Part } from '../../bench/figures.ts'
import { bendOf, lineOf } from '../../bench/growth/lines.ts'
import { pageOf } from '../../bench/page.ts'
import { root } from '../support/root.ts'

const aPart = (claims: Claim[], changes: Partial<Part> = {}): Part => ({
  at: '2026-11-28',
  machine: { processor: 'A processor', cores: 2, node: 'v26.1.0', platform: 'linux x64' },
  claims,
  ...changes
})
const readPart = (file: string) =>
  JSON.parse(readFileSync(path.join(results, file), 'utf8')) as Part & {
    rows?: Record<string, string | number>[]
  }

t.test('the spread has the median in 19 of 20 runs, or is all that was measured', async (t) => {
  const upTo = (count: number) => spreadOf(Array.from({ length: count }, (_, n) => n + 1))
  t.same(upTo(5), [1, 5])
  t.same(upTo(8), [1, 8])
  // The tables of the sign test: 9, 15, 20 and 50 values.
  t.same(
    [upTo(9), upTo(15), upTo(20), upTo(50)],
    [
      [2, 8],
      [4, 12],
      [6, 15],
      [18, 33]
    ]
  )
})

t.test('a claim is open if the limit is within its spread', async (t) => {
  t.match(atLeast('a', [0.9, 1.2, 1.1], 1), { holds: true, isOpen: true, measured: '1.1' })
  t.match(atLeast('a', [1, 1.2, 1.1], 1), { holds: true, isOpen: false, spread: '1 to 1.2' })
  t.match(atMost('a', [0.9, 1.2, 1.1], 1), { holds: false, isOpen: true })
  t.match(below('a', [20, 30, 25], 20, 'ms'), { holds: false, isOpen: false, measured: '25 ms' })
  t.same(Object.keys(atLeast('a', 1.5, 1)), ['what', 'required', 'measured', 'holds'])
})

t.test('the page begins with what was missed and what the noise leaves open', async (t) => {
  const one = aPart([atLeast('fast', [0.5, 0.6], 1), atLeast('sure', [2, 3], 1)])
  const other = aPart([atMost('small', [0.9, 1.02], 1)], {
    skipped: ['a peer 2, which needs more']
  })
  const page = pageOf({ one, other })
  const [, missed, ofMissed, open, ofOpen] = page.split('\n\n')
  t.equal(missed, '**Missed: 1 of 3.**')
  t.equal(ofMissed, '- one: fast: 0.55 (0.5 to 0.6), required at least 1')
  t.match(open, /^\*\*Left open by the noise of the machine: 1\.\*\*/)
  t.equal(ofOpen, '- other: small: 0.96 (0.9 to 1.02), required at most 1')
  t.match(page, 'All are of one run: 2026-11-28, A processor, 2 cores, linux x64, Node 26.1.0.')
  t.match(page, '| one | fast | at least 1 | 0.55 | 0.5 to 0.6 | **missed** |')
  t.match(page, '| other | small | at most 1 | 0.96 | 0.9 to 1.02 | holds, open |')
  t.match(page, 'Skipped: a peer 2, which needs more.')
  t.notMatch(page, 'How cost grows')

  const later = pageOf({ one, other: { ...other, at: '2026-11-29' } })
  t.match(later, /figures of 2 runs[^]*1\. 2026-11-29, [^]*2\. 2026-11-28, /)
  t.match(later, '| one | 2 | fast |')
})

t.test('a line bends where a size costs more than the one before lets expect', async (t) => {
  const costs = new Map([
    [1000, [70, 80, 90]],
    [1, [9, 10, 11]],
    [10, [20, 16]]
  ])
  const about = { what: 'flags', unit: 'µs', isLinear: true }
  const line = lineOf(about, costs)
  t.same(line.points, [
    { size: 1, cost: 10 },
    { size: 10, cost: 18 },
    { size: 1000, cost: 80 }
  ])
  t.equal(bendOf(line), undefined)
  t.equal(bendOf({ ...line, isLinear: false }), 10)
  t.equal(bendOf(lineOf(about, new Map([...costs, [10, [160]]]))), 10)
  const page = pageOf({ one: aPart([]), growth: aPart([], { lines: [line] }) })
  t.match(page, '| flags | µs | 1: 10; 10: 18; 1,000: 80 | a multiple | nowhere |')
})

t.test('the page is that of the stored results', async (t) => {
  const files = readdirSync(results).filter((file) => file.endsWith('.json'))
  t.ok(files.length > 10)
  const parts = files.map((file) => [path.basename(file, '.json'), readPart(file)] as const)
  const page = readFileSync(path.join(results, 'README.md'), 'utf8')
  t.equal(page, pageOf(Object.fromEntries(parts)), 'npm run bench -- page writes it again')
})

t.test('README.md says how many sessions were checked a second, to a tenth', async (t) => {
  const { table, rows = table } = readPart('session-check.json')
  const measured = Number(rows?.find(({ name }) => name === 'portal')?.['requests/s'])
  const text = readFileSync(path.join(root, 'README.md'), 'utf8')
  const [, said = ''] = /some ([\d,]+) sessions a second\]\(bench\/results/.exec(text) ?? []
  t.ok(Math.abs(Number(said.replace(',', '')) / measured - 1) < 0.1, `${said}, ${measured}`)
})
