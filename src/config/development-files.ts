import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { randomText } from '../domain/crypto.ts'
import type { Provider } from '../domain/providers/provider.ts'
import { readText } from '../domain/text-files.ts'

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

/** Where the provider for development is. */
export const examplePath = '/dev-provider'
export const exampleKey = 'example'
// Not secret: anyone who reaches a development server can sign in as each of these people.
const credential = { secret: 'example' }

interface Settings {
  PUBLIC_ORIGIN: string
}
const issuerAt = ({ PUBLIC_ORIGIN }: Settings) => PUBLIC_ORIGIN + examplePath

/**
 * The provider for development, or none where it cannot run: its package, `oidc-provider`, is there
 * in a checkout, as is all that serves development only. An installed portal is for production,
 * which would get 24 packages that it never loads.
 */
export function exampleProviders(settings: Settings): Provider[] {
  if (!isInstalled('oidc-provider')) return []
  return [
    {
      key: exampleKey,
      kind: 'oidc',
      name: 'Example',
      issuer: issuerAt(settings),
      clientId: 'portal',
      credential,
      trustsEmail: 'claim',
      domains: [],
      required: false,
      listed: true,
      creates: 'registration',
      assurance: { amr: ['mfa'], acr: [] }
    }
  ]
}

/** Finds a package without loading it. */
function isInstalled(name: string) {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

export const isExample =
  (settings: Settings) =>
  ({ issuer }: Provider) =>
    issuer === issuerAt(settings)

/** The provider knows the portal by these values. */
export const exampleClient = (settings: Settings) => ({
  issuer: issuerAt(settings),
  clientId: 'portal',
  secret: credential.secret
})
