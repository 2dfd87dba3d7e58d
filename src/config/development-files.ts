import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { randomText } from '../domain/crypto.ts'
import { readText } from '../text-files.ts'

/** Holds the files that a development server generates. Never committed. */
const folder = '.data'

/**
 * The signing key of this checkout: generated at the first start, then kept, so that sessions
 * survive restarts. The first writer wins: two servers that start at the same time
 * read the same key.
 */
export function developmentKeys() {
  const file = path.join(folder, 'secret-keys')
  try {
    writePrivate(file, `dev:${randomText()}`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readText(file).trim()
}

/**
 * The file with the password of the administrator that was created for a development database.
 * Each database has its own file: beside the directory of an embedded one, else in `.data/`.
 * For the default, `pglite:.data/portal`, it is `.data/admin-password`.
 * @param label names the database without its credentials
 */
export function adminPasswordFile(databaseUrl: string, label: string): string {
  const directory = /^pglite:(?!memory$)(.+)/.exec(databaseUrl)?.[1]
  const place =
    directory === undefined
      ? path.join(folder, label.replace(/\W+/g, '-'))
      : path.relative('', path.resolve(directory))
  return place === path.join(folder, 'portal')
    ? path.join(folder, 'admin-password')
    : `${place}.admin-password`
}

/** Writes a password for its owner only. Readers see the file only once it is whole. */
export function keepPassword(file: string, password: string) {
  const written = `${file}.${randomText()}`
  writePrivate(written, password)
  renameSync(written, file)
}

/** Throws EEXIST if the file exists. */
function writePrivate(file: string, text: string) {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${text}\n`, { flag: 'wx', mode: 0o600 })
}
