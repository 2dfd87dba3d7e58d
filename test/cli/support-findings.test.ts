import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { endFinding, ends } from '../../src/commands/proxy-findings.ts'
import { root } from '../support/root.ts'

t.test('doctor says when Node or PostgreSQL gets no more security updates', async (t) => {
  const of = (version: number, today: string) => endFinding('Node', version, 'Node', today)
  t.equal(of(22, '2027-04-30'), undefined)
  t.match(of(22, '2027-05-01'), {
    result: 'warning',
    finding: 'Node, which has had no security updates since 2027-04-30',
    todo: 'Upgrade to Node 26.'
  })
  t.equal(of(30, '2031-01-01'), undefined, 'it is newer than the list')
  t.match(endFinding('PostgreSQL', 15, 'PostgreSQL', '2027-12-01'), { todo: /PostgreSQL 18/ })
})

t.test('the page about the installation has the same dates of Node', async (t) => {
  const page = readFileSync(path.join(root, 'docs/do/install.md'), 'utf8')
  for (const [version, end] of Object.entries(ends.Node)) {
    const month = new Date(end).toLocaleString('en', { month: 'long', year: 'numeric' })
    t.match(page, new RegExp(`^\\| ${version}\\b.*(until|since) ${month}`, 'm'))
  }
})
