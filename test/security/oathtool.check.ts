import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import t from 'tap'
import { generatorOf, stepOf } from '../../src/domain/factors/totp.ts'
import { debianProgram } from '../resilience/debian.ts'

// Codes agree with those of a second implementation of RFC 6238, Debian's oathtool.

const oathtool = await debianProgram('oathtool')
const run = promisify(execFile)
const rounds = 200

t.test('oathtool computes the codes that the portal accepts', async (t) => {
  const wrong = []
  for (let round = 0; round < rounds; round++) {
    const bytes = randomBytes(20)
    const seconds = randomBytes(4).readUInt32BE()
    const { base32 } = generatorOf(bytes).secret
    const now = new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')
    const { stdout } = await run(oathtool, ['--totp', '--base32', '--now', now, base32])
    const code = stdout.trim()
    const step = stepOf(bytes, code, seconds)
    if (step !== Math.floor(seconds / 30)) wrong.push({ base32, seconds, code, step })
  }
  t.same(wrong, [])
})
