import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { inUrl, isEveryAddress } from './config/addresses.ts'
import { adminPasswordFile, keepPassword } from './config/development-files.ts'
import { firstAdminEmail } from './domain/accounts/first-admin.ts'

interface BannerFacts {
  /** HOST as configured, and the port that was taken. */
  host: string
  port: number
  databaseUrl: string
  /** Names the database without its credentials. */
  database: string
  /** Of the administrator created at this start. */
  adminPassword: string | undefined
}

/**
 * What a developer needs to begin. The password goes to a terminal and to its file, never to where
 * output is collected.
 */
export function developmentBanner(facts: BannerFacts, terminal: boolean): string {
  const { host, port, databaseUrl, database, adminPassword } = facts
  const isLocal = /^(localhost|127\.0\.0\.1|::1)$/.test(host) || isEveryAddress(host)
  const base = `http://${isLocal ? 'localhost' : inUrl(host)}:${port}`
  const lines: [label: string, value: string][] = [
    ['API', base],
    ...(isEveryAddress(host) ? networkAddresses() : []).map((address): [string, string] => [
      'Network',
      `http://${address}:${port}`
    ]),
    ['Docs', `${base}/docs`],
    ['Health', `${base}/health`],
    ['Database', database],
    ...administrator(adminPasswordFile(databaseUrl, database), adminPassword, terminal)
  ]
  const directory = /^pglite:(?!memory$)(.+)/.exec(databaseUrl)?.[1]
  if (directory !== undefined) {
    lines.push([
      'Reset',
      `stop the server, delete ${directory === '.data/portal' ? '.data' : directory} and start again`
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

/** Nothing where no password was kept: then somebody else created the administrator. */
function administrator(
  file: string,
  created: string | undefined,
  terminal: boolean
): [string, string][] {
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

/** Where other devices in the network find this machine. */
const networkAddresses = () =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((each) => (each?.family === 'IPv4' && !each.internal ? [each.address] : []))
