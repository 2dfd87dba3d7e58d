import { readFileSync } from 'node:fs'
import type { Static, TObject } from '@sinclair/typebox'
import { sha256 } from '../domain/crypto.ts'
import { originProblem, ownUrlProblem } from './addresses.ts'
import { optionalText, word } from './variable-types.ts'

/** The variables about the account pages. Defaults that depend on others are in `pageDefaults`. */
export const pageVariables = {
  ACCOUNT_PAGES: word(['on', 'off'], {
    description:
      'Whether the portal serves pages to sign in and to manage an account at /account; off if ' +
      'the app has its own'
  }),
  ACCOUNT_LOGO: optionalText({
    description: 'File with the logo of the account pages, PNG or WebP, at most 50 KB'
  }),
  ACCOUNT_ACCENT: optionalText({
    description: 'Colour of buttons and links on the account pages, as #rrggbb',
    note: 'Text stays readable with every colour',
    unset: 'blue'
  }),
  APP_URL: optionalText({
    description: 'URL of the app, to which the account pages lead after a sign-in',
    note: 'At `PUBLIC_ORIGIN` or one of the `CORS_ORIGINS`',
    unset: '`PUBLIC_ORIGIN/`; in development `/account`'
  })
}

interface Settings extends Static<TObject<typeof pageVariables>> {
  PUBLIC_ORIGIN: string
}

export const pageDefaults = (development: boolean, origin: string | undefined) => ({
  ACCOUNT_PAGES: development ? 'on' : 'off',
  // In development no app may be at `/`, but the API reference.
  ...(origin !== undefined && { APP_URL: `${origin}/${development ? 'account' : ''}` })
})

/** Describes the mistakes of these variables by their names; undefined for those that are valid. */
export function* pageProblems(
  { ACCOUNT_LOGO, ACCOUNT_ACCENT, APP_URL, PUBLIC_ORIGIN }: Settings,
  corsOrigins: string[],
  development: boolean
): Generator<[keyof typeof pageVariables, string | undefined]> {
  if (ACCOUNT_LOGO !== undefined) yield ['ACCOUNT_LOGO', logoProblem(ACCOUNT_LOGO)]
  if (ACCOUNT_ACCENT !== undefined && !/^#[0-9a-f]{6}$/i.test(ACCOUNT_ACCENT)) {
    yield ['ACCOUNT_ACCENT', 'must be a colour with six hexadecimal digits, such as #0b57d0']
  }
  // An invalid origin is reported for PUBLIC_ORIGIN only.
  if (APP_URL !== undefined && originProblem(PUBLIC_ORIGIN, development) === undefined) {
    const origins = [PUBLIC_ORIGIN, ...corsOrigins]
    yield ['APP_URL', ownUrlProblem(APP_URL, origins, 'such as https://app.example.com/')]
  }
}

const largest = 50 * 1024

function logoProblem(file: string): string | undefined {
  try {
    const logo = readLogo(file)
    if (!logo) return 'must be a PNG or WebP file, because SVG can contain scripts'
    if (logo.content.length > largest) return 'names a file with more than 50 KB'
  } catch {
    return 'names a file that cannot be read'
  }
}

/** The name under which the account pages serve the logo, and its content. */
export function logoFile({ ACCOUNT_LOGO }: { ACCOUNT_LOGO?: string | undefined }) {
  const logo = ACCOUNT_LOGO === undefined ? undefined : readLogo(ACCOUNT_LOGO)
  return logo && { name: hashedName('logo', logo.type, logo.content), content: logo.content }
}

/** Names a file of the account pages: another content has another name. */
export const hashedName = (name: string, type: string, content: Buffer) =>
  `${name}-${sha256(content).toString('hex').slice(0, 8)}.${type}`

/** The file and its type, or undefined if it is neither PNG nor WebP. */
function readLogo(file: string): { type: 'png' | 'webp'; content: Buffer } | undefined {
  const content = readFileSync(file)
  const has = (text: string, at: number) =>
    content.toString('latin1', at, at + text.length) === text
  if (has('\x89PNG\r\n\x1a\n', 0)) return { type: 'png', content }
  if (has('RIFF', 0) && has('WEBP', 8)) return { type: 'webp', content }
}
