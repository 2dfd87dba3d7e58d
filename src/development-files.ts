import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { randomText } from './domain/crypto.ts'

/** Where a development server keeps what it made up itself. Never committed. */
const folder = '.data'

/** The signing key of this checkout: made at the first start, then kept, so that sessions survive restarts. */
export const developmentKeys = () => keep('secret-keys', () => `dev:${randomText()}`)

/** Keeps `text` for its owner's eyes (mode 0600) and returns the path of the file. */
export function keepPassword (text: string) {
  keep('admin-password', () => text, 'w')
  return path.join(folder, 'admin-password')
}

/** With flag `wx` the first writer wins, and two servers that start at once read the same text. */
function keep (name: string, make: () => string, flag: 'wx' | 'w' = 'wx') {
  const file = path.join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, make() + '\n', { flag, mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8').trim()
}
