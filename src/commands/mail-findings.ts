import type { Resolver } from 'node:dns/promises'
import type { Config } from '../config/config.ts'
import { parseMailFrom, parseMailUrl } from '../mail/addresses.ts'
import { findMailHosts } from '../mail/sender-domain.ts'
import { transportOf } from '../config/mail-services.ts'
import { named, ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'
import { plain } from './output.ts'

/** No findings without a mail server: the portal may run without one. */
export async function mailServerFindings(config: Config): Promise<Finding[]> {
  const { MAIL_URL, MAIL_FROM = '' } = config
  if (MAIL_URL === undefined) return []
  const { address } = parseMailFrom(MAIL_FROM)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const [server, sender] = await Promise.all([
    serverFinding(config, MAIL_URL),
    senderFinding(domain)
  ])
  return [named('mail server', server), named('mail sender', sender)]
}

const encryption = {
  'from the start': 'TLS from the start',
  STARTTLS: 'STARTTLS',
  optional: 'on this machine'
}

async function serverFinding(config: Config, url: string): Promise<Outcome> {
  const { host, port, tls, login } = parseMailUrl(url)
  const name = `${host}:${port}, ${encryption[tls]}`
  const transport = transportOf(config)
  const failure = await transport?.verify()
  await transport?.close()
  return failure
    ? problem(`${name}: ${failure.error}. ${plain(failure.reason ?? '')}`, adviceOn(failure.error))
    : ok(`${name}, ${login ? 'accepts the login' : 'needs no login'}`)
}

const advice: Record<string, string> = {
  connect:
    'Check host and port in MAIL_URL, that the server is running, and that no firewall blocks ' +
    'the connection.',
  tls:
    'With smtp:// the server must offer STARTTLS, with smtps:// TLS from the start, and its ' +
    'certificate must be valid for the host in MAIL_URL. To trust a private certificate ' +
    'authority, set NODE_EXTRA_CA_CERTS.',
  auth: 'Check user and password in MAIL_URL. Special characters must be percent-encoded.',
  timeout: 'Check host and port in MAIL_URL: usually, port 587 needs smtp:// and port 465 smtps://.'
}

export const adviceOn = (error: string) =>
  advice[error] ??
  'The server refused it and says why. Often the account may not send for the address in MAIL_FROM.'

/** Many servers reject mail from a domain to which they could not reply. */
export async function senderFinding(domain: string, resolver?: Resolver): Promise<Outcome> {
  const found = await findMailHosts(domain, resolver)
  if (found.by === 'MX') return ok(`${domain} accepts mail at ${found.hosts.join(', ')}`)
  if (found.by === 'address') {
    return ok(`${domain} has no MX record, but has an address record`)
  }
  if (found.by === 'unknown') {
    return warning(
      `${domain} could not be looked up: the DNS server does not answer (${found.error})`,
      'Check the DNS settings of this machine. Mail is still sent.'
    )
  }
  return warning(
    found.by === 'refused'
      ? `the MX record of ${domain} says that it accepts no mail`
      : `${domain} has neither an MX record nor an address record`,
    'Many servers reject mail from such a domain. Add an MX record, or change MAIL_FROM.'
  )
}
