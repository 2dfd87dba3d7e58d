import type { AddressInfo } from 'node:net'
import { adminPasswordFile, keepPassword } from './development-files.ts'
import { firstAdminEmail } from './domain/first-admin.ts'

interface BannerFacts {
  address: AddressInfo
  databaseUrl: string
  /** Names the database without its credentials. */
  database: string
  /** Of the administrator made at this start. */
  adminPassword: string | undefined
}

/** What a developer wants to see first. The password goes to a terminal and to its file, never to where output is collected. */
export function developmentBanner (facts: BannerFacts, terminal: boolean): string {
  const { address, databaseUrl, database, adminPassword } = facts
  const base = `http://${address.address === '127.0.0.1' ? 'localhost' : bracketed(address)}:${address.port}`
  const lines = [
    ['API', base],
    ['Docs', `${base}/docs`],
    ['Health', `${base}/health`],
    ['Database', database]
  ]
  if (adminPassword !== undefined) {
    const file = adminPasswordFile(databaseUrl, database)
    keepPassword(file, adminPassword)
    lines.push(['Admin', `${firstAdminEmail}, made just now`])
    lines.push(['Password', terminal ? `${adminPassword} (kept in ${file})` : `in ${file}`])
  }
  return ['', '  portal, in development', '', ...lines.map(([label = '', value]) => `  ${label.padEnd(10)}${value}`), '', ''].join('\n')
}

const bracketed = ({ address, family }: AddressInfo) => family === 'IPv6' ? `[${address}]` : address
