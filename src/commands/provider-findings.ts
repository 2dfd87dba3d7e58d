import { statSync } from 'node:fs'
import { and, asc, eq, inArray, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Column } from 'drizzle-orm'
import type { Db } from '../../db/engine.ts'
import { providerAccounts } from '../../db/schema/provider-accounts.ts'
import { roles, userRoles } from '../../db/schema/roles.ts'
import { users } from '../../db/schema/users.ts'
import type { Config } from '../config/config.ts'
import { secretFilesOf } from '../config/providers.ts'
import { findRequired } from '../domain/providers/provider.ts'
import { named, ok, problem, warning } from './findings.ts'
import type { Finding, Outcome } from './findings.ts'
import { examine } from './providers.ts'

/**
 * Whether each provider answers, and its secrets are for the portal only. None without PROVIDERS.
 */
export async function providerFindings(config: Config): Promise<Finding[]> {
  if (config.PROVIDERS === undefined) return []
  const found = await Promise.all(
    config.providers.map(async (provider) =>
      named(`provider ${provider.key}`, await answerOf(config, provider))
    )
  )
  const open = secretFilesOf(config.PROVIDERS).filter(isReadableByOthers)
  if (open.length === 0) return found
  const finding = `others than the portal's user can read ${open.join(', ')}`
  return [...found, named('provider secrets', warning(finding, 'Set their mode to 0600 or 0640.'))]
}

async function answerOf(config: Config, provider: Config['providers'][number]): Promise<Outcome> {
  const { words } = await examine(config, provider)
  if (words.length === 0) return ok('answers, and accepts the client')
  return problem(
    `it ${words.join('; it ')}`,
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

/** How many users are listed. */
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
