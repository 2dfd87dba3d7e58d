import { execFile } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { tellProgress } from '../support/progress.ts'
import { built, root } from '../support/root.ts'

/**
 * The commit of the latest release, for a clone without tags. It is replaced after each release
 * (docs/do/release.md).
 */
const latestRelease = '272e4dd550744697a177c853d2537aa5a1ec22fb'

const run = promisify(execFile)
const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()

/** The newest tag before the current commit, which may have that of the next version. */
const newestTag = () =>
  git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => undefined)

/** Builds the version before this one. */
export const previousBuild = async (t: Test) =>
  buildOf(t, process.env.UPGRADE_FROM ?? (await newestTag()) ?? latestRelease)

/** Whether a clone has a commit: a shallow one has few. */
export const hasCommit = (name: string) =>
  git('cat-file', '-e', `${name}^{commit}`).then(
    () => true,
    () => false
  )

/** Builds a commit in a temporary worktree. Returns its name, the worktree and its build. */
export async function buildOf(t: Test, name: string) {
  const folder = path.join(built, 'previous', name)
  rmSync(folder, { recursive: true, force: true })
  // Forced, because a run that was killed leaves it registered.
  await git('worktree', 'add', '--force', '--detach', folder, name)
  t.teardown(() => git('worktree', 'remove', '--force', folder))
  tellProgress(`building ${name}`)
  if (packagesIn(folder) === packagesIn(root)) {
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  } else {
    // Not `npm ci`: newer versions of npm find the lock file of 0.1.0 out of date.
    await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder })
  }
  await run('npm', ['run', 'build', '--', '--noCheck'], { cwd: folder })
  return { name, folder, build: path.join(folder, 'dist') }
}

/** The locked packages, without the version of the portal itself. */
function packagesIn(folder: string) {
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>
  }
  return JSON.stringify({ ...lock.packages, '': undefined })
}
