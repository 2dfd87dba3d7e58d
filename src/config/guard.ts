import { statSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { canonicalNetwork, loopback, parseNetworks } from '../domain/networks.ts'
import { readText } from '../domain/text-files.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { list } from './addresses.ts'
import { optionalText } from './variable-types.ts'

const explained = '[Open registration](../do/open-registration.md) explains it'

/** Who can register, and who must prove more before a mail is sent to a stranger. */
export const guardVariables = {
  REGISTRATION_DOMAINS: Type.String({
    default: '',
    description:
      'Domains whose addresses can register, such as `acme.com` and `*.acme.com`, separated by ' +
      'commas',
    note: explained,
    unset: 'all'
  }),
  REGISTRATION_BLOCKED: optionalText({
    description:
      'File with domains that cannot register, one a line, each with its subdomains; it is read ' +
      'again within a minute after a change',
    unset: 'none'
  }),
  REGISTRATION_NETWORKS: optionalText({
    description:
      'File with networks whose callers always solve a challenge, one address or CIDR range a ' +
      'line; it is read again within a minute after a change',
    note: explained,
    unset: 'none'
  }),
  REGISTER_HOOK: optionalText({
    description: 'https:// URL that decides about each registration',
    note: '[A hook](../do/open-registration.md#a-hook) explains it',
    unset: 'none'
  }),
  REGISTER_HOOK_SECRET: optionalText({
    pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$',
    description: '`whsec_` and 24 to 64 random bytes in base64, which sign what is sent there',
    unset: 'required with `REGISTER_HOOK`'
  })
}

type Settings = Partial<Record<keyof typeof guardVariables | 'NODE_ENV', string>>

/** Describes the mistakes of these variables and of their files. */
export function* guardProblems(
  settings: Settings
): Generator<[keyof typeof guardVariables, string]> {
  if (domainsOf(settings).includes(undefined)) {
    yield ['REGISTRATION_DOMAINS', 'must be domains such as acme.com and *.acme.com']
  }
  const { REGISTER_HOOK: hook = 'https://example.com', REGISTER_HOOK_SECRET, NODE_ENV } = settings
  const { protocol, hostname } = URL.canParse(hook) ? new URL(hook) : { protocol: '', hostname: '' }
  const isLocal = NODE_ENV === 'development' && protocol === 'http:' && loopback.test(hostname)
  if (protocol !== 'https:' && !isLocal) yield ['REGISTER_HOOK', 'must begin with https://']
  if (settings.REGISTER_HOOK !== undefined && REGISTER_HOOK_SECRET === undefined) {
    yield ['REGISTER_HOOK_SECRET', 'is not set: with REGISTER_HOOK it is required']
  }
  for (const name of ['REGISTRATION_BLOCKED', 'REGISTRATION_NETWORKS'] as const) {
    try {
      if (settings[name] !== undefined) readers[name](settings[name])
    } catch (error) {
      yield [name, `names a file that ${(error as Error).message}`]
    }
  }
}

/**
 * The rules of these variables. A file that has a mistake after a change is not read, and its
 * former content stays.
 * @param onError called with the name of its variable
 * @param clock milliseconds
 */
export function createRegistrationRules(
  settings: Settings,
  onError: (error: Error, name: string) => void,
  clock = () => performance.now()
) {
  const allowed = domainsOf(settings)
  const blocked = watched('REGISTRATION_BLOCKED', readers.REGISTRATION_BLOCKED)
  const networks = watched('REGISTRATION_NETWORKS', readers.REGISTRATION_NETWORKS)

  function watched<T>(name: keyof typeof readers, read: (file: string) => T) {
    const file = settings[name]
    if (file === undefined) return () => undefined
    let [content, changed, looked] = [read(file), statSync(file).mtimeMs, clock()]
    return () => {
      if (clock() - looked < 60_000) return content
      looked = clock()
      try {
        const { mtimeMs } = statSync(file)
        if (mtimeMs !== changed) content = read(file)
        changed = mtimeMs
      } catch (error) {
        onError(error as Error, name)
      }
      return content
    }
  }

  return {
    /** Whether nobody can register with this address, in its unique form. */
    refuses(email: string): boolean {
      const domain = email.slice(email.lastIndexOf('@') + 1)
      const isAllowed = (each = '') =>
        each.startsWith('.') ? domain.endsWith(each) : domain === each
      if (allowed.length > 0 && !allowed.some(isAllowed)) return true
      const labels = domain.split('.')
      return labels.some((_, i) => blocked()?.has(labels.slice(i).join('.')))
    },
    isSuspect: (ip: string | undefined): boolean => networks()?.(ip) ?? false
  }
}

const domainOf = (text: string) => normalizeEmail(`a@${text}`)?.slice(2)

/** In their ASCII form; after `*`, it begins with a dot. Undefined for what is not a domain. */
const domainsOf = ({ REGISTRATION_DOMAINS: text = '' }: Settings) =>
  list(text).map((each) => {
    const domain = domainOf(each.replace(/^\*\./, ''))
    return domain && each.startsWith('*') ? `.${domain}` : domain
  })

const readers = {
  REGISTRATION_BLOCKED: (file: string) => new Set(readLines(file, domainOf, 'a domain')),
  REGISTRATION_NETWORKS: (file: string) =>
    parseNetworks(readLines(file, canonicalNetwork, 'an address or a CIDR range'))
}

/** Lines may be empty, or a comment after `#`. */
function readLines(file: string, parse: (line: string) => string | undefined, what: string) {
  const lines = readText(file).split('\n')
  return lines.flatMap((line, i) => {
    const text = line.replace(/#.*/, '').trim()
    const parsed = text === '' ? [] : parse(text)
    if (parsed === undefined) throw new Error(`does not have ${what} in line ${i + 1}`)
    return parsed
  })
}
