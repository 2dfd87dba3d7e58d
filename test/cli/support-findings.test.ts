import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { supportFinding } from '../../src/commands/support-findings.ts'
import { supportedVersions, versionsOf } from '../../src/supported-versions.ts'
import { root } from '../support/root.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

t.test('doctor warns from the day on which Node or PostgreSQL gets no more updates', async (t) => {
  const of = (version: number, today: string) => supportFinding('Node', version, 'Node', today)
  t.same(of(22, '2027-04-30'), { result: 'ok', finding: 'Node' })
  t.same(of(22, '2027-05-01'), {
    result: 'warning',
    finding: 'Node, which has had no security updates since 2027-04-30',
    todo: 'Use Node 26, which gets security updates until 2029-04-30.'
  })
  t.match(supportFinding('PostgreSQL', 15, 'PostgreSQL', '2027-11-12'), {
    result: 'warning',
    todo: 'Use PostgreSQL 18, which gets security updates until 2030-11-14.'
  })
})

t.test(
  'doctor warns of versions that are not in the table, and reports those before it',
  async (t) => {
    const of = (version: number) => supportFinding('Node', version, 'Node', '2026-11-28')
    const finding = 'Node, which was not tested with this version of the portal'
    t.match(of(25), { result: 'warning', finding, todo: /^Use Node 26,/ })
    t.match(of(28), { result: 'warning', finding, todo: /^Look for a newer portal\./ })
    t.match(supportFinding('PostgreSQL', 14, 'PostgreSQL', '2026-11-28'), {
      result: 'problem',
      finding: 'PostgreSQL, which is too old for the portal'
    })
  }
)

t.test('the files of an installation have versions of the table', async (t) => {
  const [oldest] = versionsOf('Node')[0] ?? []
  const newest = versionsOf('Node').at(-1)?.[0]
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  t.match(engines.node, new RegExp(`^>=${oldest}\\.`))
  t.equal(read('.nvmrc').trim(), String(newest))
  const images = [...read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)].map(([, line]) => line)
  t.same(images, [String(newest), String(newest)])
  const [, database] = /image: postgres:(\d+)/.exec(read('deploy/compose.yaml')) ?? []
  t.ok(
    Number(database) in supportedVersions.PostgreSQL,
    `PostgreSQL ${database} of deploy/compose.yaml`
  )
})
