import { Resolver } from 'node:dns/promises'

/** Where mail for a domain goes, according to DNS. */
type MailHosts =
  | { by: 'MX' | 'address'; hosts: string[] }
  /** `refused`: the domain says that it accepts no mail (RFC 7505). */
  | { by: 'nothing' | 'refused' }
  /** With the code of the error. */
  | { by: 'unknown'; error: string }

/** Milliseconds. */
const limits = { timeout: 2000, total: 5000 }

/**
 * Looks up which hosts take mail for a domain: its MX records or, without any, its own addresses
 * (RFC 5321, 5.1). Many servers reject mail from a domain that has neither.
 */
export async function findMailHosts(
  domain: string,
  resolver = new Resolver({ timeout: limits.timeout, tries: 2 })
): Promise<MailHosts> {
  const timer = setTimeout(() => resolver.cancel(), limits.total)
  try {
    const exchanges = await orNone(resolver.resolveMx(domain))
    if (exchanges.length === 1 && exchanges[0]?.exchange === '') return { by: 'refused' }
    if (exchanges.length > 0) return { by: 'MX', hosts: exchanges.map(({ exchange }) => exchange) }
    const addresses = [
      ...(await orNone(resolver.resolve4(domain))),
      ...(await orNone(resolver.resolve6(domain)))
    ]
    return addresses.length > 0 ? { by: 'address', hosts: addresses } : { by: 'nothing' }
  } catch (error) {
    return { by: 'unknown', error: String((error as NodeJS.ErrnoException).code) }
  } finally {
    clearTimeout(timer)
  }
}

/** No records of this type, or no such domain, is an answer. */
const orNone = <T>(records: Promise<T[]>) =>
  records.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return []
    throw error
  })
