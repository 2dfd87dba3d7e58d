import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { temporaryFolder } from '../support/app.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)
const git = async (...args: string[]) =>
  (await run('git', args, { cwd: root, maxBuffer: 2 ** 28 })).stdout.trim()

/** The commit before the one that added a file. */
export async function commitBefore(file: string) {
  const added = await git('log', '--diff-filter=A', '--format=%H', '-1', '--', file)
  if (added === '') throw new Error(`git does not know when ${file} was added`)
  return git('rev-parse', `${added}^`)
}

/** A folder with the sources of a commit, compiled, and the packages that are installed now. */
export async function checkOut(t: Test, commit: string) {
  const folder = path.join(temporaryFolder(t), 'earlier')
  mkdirSync(folder)
  const archive = path.join(folder, 'sources.tar')
  await git('archive', '--format=tar', `--output=${archive}`, commit)
  await run('tar', ['-xf', archive, '-C', folder])
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await run(process.execPath, ['bin/compile.js'], { cwd: folder })
  return folder
}
