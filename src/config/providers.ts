import {
  providerKeyForm,
  providerKeyLength,
  providerKinds
} from '../../db/schema/provider-accounts.ts'
import type { ProviderKind } from '../../db/schema/provider-accounts.ts'
import type { Provider } from '../domain/providers/provider.ts'
import { readText, UnreadableText } from '../domain/text-files.ts'
import * as read from './provider-fields.ts'

/** The members that every kind may have. */
const common = {
  name: read.line(40),
  clientId: read.line(255),
  listed: read.flag,
  creates: read.oneOf(['registration', 'always', 'never']),
  sessionSeconds: read.seconds
}
const claims = { assurance: read.assurance, roles: read.roles }
const organization = { ...claims, domains: read.domains, required: read.flag }
const secret = { clientSecretFile: read.secretFile }

/** The members of each kind. Those without a default are in `needed`. */
const fieldsOf = (development: boolean) =>
  ({
    google: { ...common, ...organization, ...secret },
    microsoft: { ...common, ...organization, ...secret, tenant: read.tenant },
    apple: {
      ...common,
      teamId: read.line(20),
      keyId: read.line(20),
      privateKeyFile: read.privateKeyFile
    },
    github: { ...common, ...secret },
    oidc: {
      ...common,
      ...organization,
      ...secret,
      issuer: read.issuer(development),
      trustsEmail: read.oneOf(['domains', 'claim', 'never'])
    }
  }) satisfies Record<ProviderKind, Record<string, (value: unknown) => unknown>>

const needed: Record<ProviderKind, string[]> = {
  google: ['clientId', 'clientSecretFile'],
  microsoft: ['clientId', 'clientSecretFile', 'tenant'],
  apple: ['clientId', 'teamId', 'keyId', 'privateKeyFile'],
  github: ['clientId', 'clientSecretFile'],
  oidc: ['clientId', 'clientSecretFile', 'issuer', 'name']
}
const names = { google: 'Google', microsoft: 'Microsoft', apple: 'Apple', github: 'GitHub' }

/** The members that were read, of whatever kind. */
interface Members {
  name?: string
  clientId: string
  clientSecretFile: string
  teamId: string
  keyId: string
  privateKeyFile: string
  tenant: string
  issuer: string
  trustsEmail?: Provider['trustsEmail']
  domains?: string[]
  required?: boolean
  listed?: boolean
  creates?: Provider['creates']
  assurance?: Provider['assurance']
  roles?: NonNullable<Provider['roles']>
  sessionSeconds?: number
}

/**
 * Reads the file of PROVIDERS.
 * @param problems receives every mistake, by the name of its provider and member, without values
 */
export function readProviders(file: string, development: boolean, problems: string[]): Provider[] {
  let all: [string, unknown][]
  try {
    all = Object.entries(read.fieldsOf(JSON.parse(readText(file))))
  } catch (error) {
    const what =
      error instanceof UnreadableText
        ? `names a file that ${error.message}`
        : 'must name a file with a JSON object of providers'
    problems.push(`PROVIDERS ${what}`)
    return []
  }
  if (all.length > 50) problems.push('PROVIDERS must name a file with at most 50 providers')
  const found = all.slice(0, 50).flatMap(([key, value], i) => {
    const valid = isKey(key)
    // A key that is not valid could be anything, such as a secret.
    const say = (what: string) => problems.push(`PROVIDERS ${valid ? key : `item ${i + 1}`}${what}`)
    if (!valid) {
      say(': the key must be 1 to 32 lowercase letters, digits and hyphens, and not the word find')
    }
    const provider = readProvider(key, value, development, say)
    return valid && provider ? [provider] : []
  })
  problems.push(...conflicts(found))
  return found
}

const isKey = (key: string) =>
  providerKeyForm.test(key) && key.length <= providerKeyLength.max && key !== 'find'

/** Undefined after a mistake. */
function readProvider(
  key: string,
  value: unknown,
  development: boolean,
  say: (what: string) => void
): Provider | undefined {
  let given: Record<string, unknown>
  let kind: ProviderKind
  try {
    given = read.fieldsOf(value)
    kind = read.oneOf(providerKinds)(given.kind)
  } catch {
    say(`: kind must be one of ${providerKinds.join(', ')}`)
    return undefined
  }
  let valid = true
  const reject = (what: string) => {
    valid = false
    say(what)
  }
  const members = fieldsOf(development)[kind] as Record<string, (value: unknown) => unknown>
  const unknown = Object.keys(given).filter((name) => name !== 'kind' && !members[name])
  if (unknown.length > 0) {
    reject(`: kind ${kind} has only these members: ${Object.keys(members).join(', ')}`)
  }
  const values: Record<string, unknown> = {}
  for (const [name, readMember] of Object.entries(members)) {
    if (given[name] === undefined) {
      if (needed[kind].includes(name)) reject(`.${name} is not set`)
      continue
    }
    try {
      values[name] = readMember(given[name])
    } catch (error) {
      if (!(error instanceof read.Mistake)) throw error
      reject(`.${name} ${error.message}`)
    }
  }
  if (!valid) return undefined
  const provider = toProvider(key, kind, values as unknown as Members)
  const problem = contradiction(provider, values as unknown as Members)
  if (problem !== undefined) reject(problem)
  return valid ? provider : undefined
}

function toProvider(key: string, kind: ProviderKind, members: Members): Provider {
  const { domains = [], assurance, roles, sessionSeconds } = members
  const { clientId, teamId, keyId, privateKeyFile } = members
  return {
    key,
    kind,
    name: members.name ?? (kind === 'oidc' ? key : names[kind]),
    issuer: issuerOf(kind, members),
    clientId,
    credential:
      kind === 'apple'
        ? { teamId, keyId, privateKey: privateKeyFile }
        : { secret: members.clientSecretFile },
    ...(kind === 'github' && {
      endpoints: {
        authorization: 'https://github.com/login/oauth/authorize',
        token: 'https://github.com/login/oauth/access_token',
        api: 'https://api.github.com'
      }
    }),
    trustsEmail: members.trustsEmail ?? (domains.length > 0 ? 'domains' : 'never'),
    domains,
    required: members.required ?? false,
    listed: members.listed ?? true,
    creates: members.creates ?? 'registration',
    assurance: assurance ?? { amr: [], acr: [] },
    ...(roles && { roles }),
    ...(sessionSeconds !== undefined && { sessionSeconds })
  }
}

function issuerOf(kind: ProviderKind, { tenant, issuer }: Members) {
  switch (kind) {
    case 'google':
      return 'https://accounts.google.com'
    case 'microsoft':
      return `https://login.microsoftonline.com/${tenant}/v2.0`
    case 'apple':
      return 'https://appleid.apple.com'
    case 'github':
      return 'https://github.com'
    case 'oidc':
      return issuer
  }
}

/** Members that are valid each, and not together. */
function contradiction(provider: Provider, members: Members) {
  const { tenant } = members
  const { kind, domains, required, trustsEmail } = provider
  if (kind === 'microsoft' && !read.isOneTenant(tenant)) {
    // The administrators of each tenant decide what its tokens say.
    const ofOne = (['domains', 'roles', 'assurance'] as const).filter((name) => members[name])
    if (ofOne.length > 0) return `.${ofOne.join(', ')} needs the id of one tenant in tenant`
  }
  if (kind === 'oidc' && read.isOfManyTenants(provider.issuer)) {
    return '.issuer is that of many tenants: use the kind microsoft'
  }
  if (required && domains.length === 0) return '.required needs domains'
  if (kind !== 'oidc') return undefined
  if (trustsEmail === 'domains' && domains.length === 0) return '.trustsEmail needs domains'
  if (required && trustsEmail === 'never') return '.required needs trustsEmail domains or claim'
  return undefined
}

/** A domain belongs to one provider, and an issuer as well: accounts are identified by it. */
function conflicts(providers: Provider[]): string[] {
  const seen = new Map<string, string>()
  return providers.flatMap(({ key, issuer, domains }) =>
    [...domains.map((domain) => ['domain', domain]), ['issuer', issuer]].flatMap(
      ([what, value]) => {
        const name = `${what} ${value}`
        const other = seen.get(name)
        seen.set(name, other ?? key)
        return other === undefined || other === key
          ? []
          : [`PROVIDERS ${other} and ${key} have the same ${what}`]
      }
    )
  )
}

/** The files with secrets that the file of PROVIDERS names. */
export const secretFilesOf = (file: string): string[] =>
  Object.values(JSON.parse(readText(file)) as Record<string, Record<string, unknown>>)
    .flatMap(({ clientSecretFile, privateKeyFile }) => [clientSecretFile, privateKeyFile])
    .filter((each) => typeof each === 'string')
