import type { Resolver } from 'node:dns/promises'
import { findMailHosts } from '../mail/sender-domain.ts'
import { ok, warning } from './findings.ts'
import type { Finding } from './findings.ts'

/** Many servers reject mail from a domain to which they could not reply. */
export async function senderFinding(domain: string, resolver?: Resolver): Promise<Finding> {
  const check = 'mail sender'
  const found = await findMailHosts(domain, resolver)
  if (found.by === 'MX') return ok(check, `${domain} accepts mail at ${found.hosts.join(', ')}`)
  if (found.by === 'address') {
    return ok(check, `${domain} has no MX record, but has an address record`)
  }
  if (found.by === 'unknown') {
    return warning(
      check,
      `${domain} could not be looked up: the DNS server does not answer (${found.error})`,
      'Check the DNS settings of this machine. Mail is still sent.'
    )
  }
  return warning(
    check,
    found.by === 'refused'
      ? `the MX record of ${domain} says that it accepts no mail`
      : `${domain} has neither an MX record nor an address record`,
    'Many servers reject mail from such a domain. Add an MX record, or change MAIL_FROM.'
  )
}
