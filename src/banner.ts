import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { inUrl, isEveryAddress } from './config/addresses.ts'
import { adminPasswordFile, keepPassword } from './config/development-files.ts'
import { firstAdminEmail } from './domain/administration/first-admin.ts'
import { loopback } from './domain/networks.ts'

interface BannerFacts {
  /** HOST as configured, and the port in use. */
  host: string
  port: number
  databaseUrl: string
  /** Names the database without its credentials. */
  database: string
  /** Whether `npm run dev -- --sample` works: on a database of this machine, without an app. */
  hasSample: boolean
  /** The folder of the app that is built on the portal. */
  ownApp?: string | undefined
  /** Whether this start serves these pages. */
  hasConsole: boolean
  hasAccountPages: boolean
  /** Whether mail is caught, and shown at /mail on this machine only. */
  catchesMail: boolean
  /** Password of the administrator if this start created one. */
  adminPassword: string | undefined
}

const sampleHelp =
  'npm run dev -- --sample fills the database with made-up data, --sample off removes it'

type Line = [label: string, value: string]

/**
 * Prints what a developer needs to get started. The password is only written to a terminal and to
 * its file, never to collected output.
 */
export function developmentBanner(facts: BannerFacts, terminal: boolean): string {
  const { host, port, databaseUrl, database, adminPassword } = facts
  const isHere = /^(localhost|127\.0\.0\.1|::1)$/.test(host) || isEveryAddress(host)
  const name = isHere ? 'localhost' : inUrl(host)
  const base = `http://${name}:${port}`
  const lines: Line[] = [
    ['API', base],
    ...(isEveryAddress(host) ? networkAddresses() : []).map((address): Line => [
      'Network',
      `http://${address}:${port}`
    ]),
    ...(facts.hasConsole ? [['Console', `${base}/console`] as Line] : []),
    ...(facts.hasAccountPages ? [['Account', `${base}/account`] as Line] : []),
    ['Docs', `${base}/docs`],
    ...(facts.catchesMail && loopback.test(name) ? [['Mail', `${base}/mail`] as Line] : []),
    ['Health', `${base}/health`],
    ['Database', database],
    ...(facts.ownApp === undefined ? [] : [['App', facts.ownApp] as Line]),
    ...administrator(adminPasswordFile(databaseUrl, database), adminPassword, terminal)
  ]
  if (facts.hasSample) lines.push(['Sample', sampleHelp])
  const directory = /^pglite:(?!memory$)(.+)/.exec(databaseUrl)?.[1]
  if (directory !== undefined) {
    lines.push([
      'Reset',
      `stop the server, delete ${directory === '.data/portal' ? '.data' : directory} and start ` +
        `again`
    ])
  }
  return [
    '',
    '  portal, in development',
    '',
    ...lines.map(([label, value]) => `  ${label.padEnd(10)}${value}`),
    '',
    ''
  ].join('\n')
}

/** Empty when there is no password file: then the administrator was created in another way. */
function administrator(file: string, created: string | undefined, terminal: boolean): Line[] {
  if (created !== undefined) {
    keepPassword(file, created)
    return [
      ['Admin', `${firstAdminEmail}, created just now`],
      ['Password', terminal ? `${created} (kept in ${file})` : `in ${file}`]
    ]
  }
  return existsSync(file)
    ? [
        ['Admin', firstAdminEmail],
        ['Password', `in ${file}, unless it was changed since`]
      ]
    : []
}

/** Addresses of this machine for other devices on the network. */
const networkAddresses = () =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((each) => (each?.family === 'IPv4' && !each.internal ? [each.address] : []))
