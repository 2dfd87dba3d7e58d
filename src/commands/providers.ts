import { statSync } from 'node:fs'
import { and, asc, eq, inArray, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Column } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { roles, userRoles } from '../../db/schema/roles.ts'
import { users } from '../../db/schema/users.ts'
import { loadProviderConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { secretFilesOf } from '../config/providers.ts'
import { unlinkUserProvider } from '../domain/administration/factor-removal.ts'
import { listProviderAccounts } from '../domain/providers/accounts.ts'
import { examineProvider } from '../domain/providers/examination.ts'
import { findRequired, unknownProvider, withName } from '../domain/providers/provider.ts'
import type { Provider } from '../domain/providers/provider.ts'
import { callbackOf, configuredProvider } from '../http/provider-flow.ts'
import { command, group } from './command.ts'
import { OutsideError, UsageError } from './errors.ts'
import { ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'
import type { Json } from './options.ts'
import { done, printJson, printOne, printTable, say } from './output.ts'
import { ofUser } from './user-argument.ts'

export const providerCommands = group({
  what: 'providers that users sign in with',
  examples: ['portal provider list', 'portal provider check google'],
  commands: {
    list: command({
      what: 'list the providers of PROVIDERS; needs no database',
      async run({ json }) {
        const { providers, PUBLIC_ORIGIN } = loadProviderConfig()
        const all = providers.map(configuredProvider(PUBLIC_ORIGIN))
        await (json
          ? printJson(all)
          : printTable(all, ['key', 'kind', 'name', 'domains', 'issuer']))
      }
    }),
    'check <key>': command({
      what: 'show what to enter at a provider, and what would keep users from signing in with it',
      args: { key: 'key of the provider in PROVIDERS' },
      examples: ['google'],
      run: check
    })
  }
})

async function check({ json }: Json, key: string) {
  const config = loadProviderConfig()
  const found = config.providers.find((each) => each.key === key)
  if (!found) throw unknownProvider()
  const known = configuredProvider(config.PUBLIC_ORIGIN)(found)
  // Say it first: a provider that does not answer yet needs it as well.
  say(`Enter this redirect URI at the provider, exactly as it is: ${known.redirectUri}`)
  const { authorizationEndpoint, faults } = await examine(config, found)
  if (authorizationEndpoint !== undefined) {
    const reasons = faults.map(({ reason }) => reason)
    const all = { ...known, authorizationEndpoint, faults: reasons }
    await printOne(all, json, ['key', 'kind', 'issuer', 'redirectUri', 'authorizationEndpoint'])
  }
  if (faults.length === 0) return
  throw new OutsideError(
    'provider-unusable',
    faults.map(({ words }) => `The provider ${words}.`).join('\n')
  )
}

/** Loads the client only here: other commands need no HTTP. */
async function examine(
  { development, PUBLIC_ORIGIN }: ReturnType<typeof loadProviderConfig>,
  provider: Provider
) {
  const { createProviderClient } = await import('../outbound/provider-client.ts')
  const redirectUriOf = (key: string) => callbackOf(PUBLIC_ORIGIN, key)
  const providerClient = createProviderClient({ development, redirectUriOf })
  return examineProvider({ providerClient }, provider)
}

export const userProviderCommands = {
  'providers <user>': command({
    what: 'list the accounts at providers that are linked to a user',
    examples: ['ada@example.com'],
    run: ofUser(async ({ db }, userId, { json }) => {
      const accounts = await listProviderAccounts(db, userId)
      if (json) return printJson(accounts)
      await printTable(accounts, ['provider', 'email', 'createdAt', 'lastUsedAt', 'id'])
    })
  }),
  'unlink <user> <provider>': command({
    what: 'unlink an account at a provider, and end the sessions that began with it',
    args: { provider: 'key of the provider, or the id of the linked account' },
    examples: ['ada@example.com google'],
    run: ofUser(async ({ db, mail, actor, config }, userId, { json }, which) => {
      const { providers } = config
      const accounts = await listProviderAccounts(db, userId)
      const found = accounts.filter(({ id, provider }) => id === which || provider === which)
      if (found.length > 1) {
        throw new UsageError(
          'Several accounts at this provider are linked: specify the id of one. ' +
            'portal user providers lists them.'
        )
      }
      // Without an account, this id is refused with the reason.
      const id = found[0]?.id ?? userId
      await unlinkUserProvider({ db, mail, providers }, actor, { userId, id })
      await done('Unlinked.', json, found.map(withName(providers)))
    })
  })
}

/**
 * Whether each provider answers, and its secrets are for the portal only. None without PROVIDERS.
 */
export async function providerFindings(config: Config): Promise<Finding[]> {
  if (config.PROVIDERS === undefined) return []
  const found = await Promise.all(
    config.providers.map(async (provider) => ({
      check: `provider ${provider.key}`,
      ...(await answerOf(config, provider))
    }))
  )
  const open = secretFilesOf(config.PROVIDERS).filter(isReadableByOthers)
  if (open.length === 0) return found
  const finding = `others than the portal's user can read ${open.join(', ')}`
  const outcome = warning(finding, 'Set their mode to 0600 or 0640.')
  return [...found, { check: 'provider secrets', ...outcome }]
}

async function answerOf(config: Config, provider: Config['providers'][number]): Promise<Outcome> {
  const { faults } = await examine(config, provider)
  if (faults.length === 0) return ok('answers, and accepts the client')
  return problem(
    `it ${faults.map(({ words }) => words).join('; it ')}`,
    'Correct it at the provider, or in the file of PROVIDERS, and see: ' +
      `portal provider check ${provider.key}`
  )
}

function isReadableByOthers(file: string) {
  try {
    return (statSync(file).mode & 0o004) !== 0
  } catch {
    return false // the configuration reports it
  }
}

/** Whether a provider that fails would lock the administrators out. */
export async function requiredProviderFinding(
  db: Db,
  { providers }: Config
): Promise<Outcome | undefined> {
  if (!providers.some(({ required }) => required)) return undefined
  const admins = await db
    .select({ email: users.emailNormalized })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .where(
      and(eq(roles.key, 'admin'), eq(users.status, 'active'), isNotNull(users.emailVerifiedAt))
    )
    .limit(1000)
  const managed = admins.filter(({ email }) => findRequired(providers, email))
  return admins.length > 0 && managed.length === admins.length
    ? warning(
        'every administrator must sign in with a provider',
        'If it fails, nobody can administer the portal. Give an administrator an address of ' +
          'another domain.'
      )
    : ok('an administrator can sign in without a provider')
}

/** A finding names at most this many users. */
const mostListed = 10

/** Whether users who must sign in with a provider have linked accounts that do not count. */
export async function otherAccountsFinding(
  db: Db,
  { providers }: Config
): Promise<Outcome | undefined> {
  const required = providers.filter((provider) => provider.required)
  if (required.length === 0) return undefined
  const domain = (column: Column) => sql`lower(split_part(${column}, '@', 2))`
  const others = await Promise.all(
    required.map(({ key, domains }) =>
      db
        .selectDistinct({ email: users.email })
        .from(users)
        .innerJoin(providerAccounts, eq(providerAccounts.userId, users.id))
        .where(
          and(
            isNotNull(users.emailVerifiedAt),
            inArray(domain(users.emailNormalized), [...domains]),
            or(
              ne(providerAccounts.provider, key),
              isNull(providerAccounts.email),
              notInArray(domain(providerAccounts.email), [...domains])
            )
          )
        )
        .orderBy(asc(users.email))
        .limit(mostListed)
    )
  )
  const emails = others.flat().map(({ email }) => email)
  if (emails.length === 0) return ok('users who must sign in with one have no other accounts')
  return warning(
    `these users have accounts of other addresses or providers: ${emails.join(', ')}`,
    'Nobody signs in with them. Unlink those that the users do not need: ' +
      'portal user unlink EMAIL PROVIDER'
  )
}
