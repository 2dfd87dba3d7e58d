import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../support/app.ts'

/** Only root may mount. */
export const mayMount = process.getuid?.() === 0

/** A separate file system of so many megabytes, which any user of the machine can reach. */
export function smallDisk(t: Test, megabytes: number) {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  const mount = (...options: string[]) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options.join(), 'tmpfs', folder])
  mount(`size=${megabytes}m`)
  t.teardown(() => execFileSync('umount', ['--lazy', folder]))
  const ballast = path.join(folder, 'ballast')
  return {
    folder,
    readOnly: () => mount('remount', 'ro'),
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    },
    makeRoom: () => rmSync(ballast)
  }
}
