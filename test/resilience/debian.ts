import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A Debian program, which is installed if it is missing, from this package. Requires root. */
export async function debianProgram(name: string, from = name) {
  const find = () =>
    run('sh', ['-c', `command -v ${name} || ls /usr/sbin/${name}`]).then(
      ({ stdout }) => stdout.trim().split('\n')[0] ?? ''
    )
  const there = await find().catch(() => undefined)
  if (there) return there
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env })
  await run('apt-get', ['install', '--yes', '--no-install-recommends', from], { env })
  return find()
}
