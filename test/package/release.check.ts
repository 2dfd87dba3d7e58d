import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { readPage } from '../support/documents.ts'
import { root } from '../support/root.ts'

// `npm run check -- package`: the files of a release, which this replaces in release/.

const folder = temporaryFolder(t)
const key = path.join(folder, 'key')
execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
const release = path.join(root, 'release')

function filesOfRelease() {
  const env = { ...process.env, RELEASE_KEY: key }
  execFileSync('npm', ['run', 'release'], { cwd: root, env, stdio: 'pipe' })
  return new Map(readdirSync(release).map((name) => [name, readFileSync(path.join(release, name))]))
}

t.test('a release has the same bytes twice, and its signature is verified', (t) => {
  const first = filesOfRelease()
  const second = filesOfRelease()
  t.same([...second.keys()], [...first.keys()])
  for (const [name, bytes] of first) t.ok(second.get(name)?.equals(bytes), name)

  const [verify = ''] = /^ssh-keygen -Y verify .+$/m.exec(readPage('docs/do/install.md')) ?? []
  const signers = readFileSync(path.join(root, 'deploy/release-signers'), 'utf8')
  const [, form = ''] = /^# (releases .*) ssh-ed25519 AAAA…$/m.exec(signers) ?? []
  writeFileSync(
    path.join(release, 'release-signers'),
    `${signers}${form} ${readFileSync(`${key}.pub`, 'utf8')}`
  )
  const inRelease = { cwd: release, encoding: 'utf8', stdio: 'pipe' } as const
  t.match(execFileSync('bash', ['-c', verify], inRelease), 'Good "file" signature for releases')
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], inRelease)

  writeFileSync(path.join(release, 'SHA256SUMS'), `${'0'.repeat(64)}  portal.json\n`)
  t.throws(() => execFileSync('bash', ['-c', verify], inRelease), 'not of other checksums')
  t.end()
})
