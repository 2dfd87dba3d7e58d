import type { Command } from 'commander'
import { loadProviderConfig } from '../config/config.ts'
import { DomainError } from '../domain/domain-error.ts'
import { unlinkUserProvider } from '../domain/administration/provider-removal.ts'
import { listProviderAccounts } from '../domain/providers/accounts.ts'
import { unknownProvider } from '../domain/providers/errors.ts'
import { withName } from '../domain/providers/provider.ts'
import type { Provider } from '../domain/providers/provider.ts'
import { callbackOf } from '../http/provider-callback.ts'
import { providerWords } from '../problems/provider-reasons.ts'
import { OutsideError, UsageError } from './errors.ts'
import { onUser, whoHelp } from './one-user.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, printOne, say, tablePrinter } from './output.ts'

/** What operators see of a provider: no secret. */
const shown =
  (origin: string) =>
  ({ key, kind, name, issuer, domains, required, listed }: Provider) => ({
    key,
    kind,
    name,
    issuer,
    domains,
    required,
    listed,
    redirectUri: callbackOf(origin, key)
  })

export function addProviderCommands(program: Command) {
  const provider = program.command('provider').description('providers that users sign in with')
  example(provider, 'portal provider list', 'portal provider check google')
  const list = asData(
    provider.command('list').description('list the providers of PROVIDERS; needs no database')
  )
  example(list, 'portal provider list')
  list.action(async ({ json }: Json) => {
    const { providers, PUBLIC_ORIGIN } = loadProviderConfig()
    const all = providers.map(shown(PUBLIC_ORIGIN))
    if (json) return printJson(all)
    const table = tablePrinter<(typeof all)[number]>(['key', 'kind', 'name', 'domains', 'issuer'])
    await table.add(all)
    await table.end()
  })

  const check = asData(
    provider
      .command('check')
      .description(
        'show what to enter at a provider, and what would keep users from signing in with it'
      )
      .argument('<key>', 'key of the provider in PROVIDERS')
  )
  example(check, 'portal provider check google')
  check.action(async (key: string, { json }: Json) => {
    const config = loadProviderConfig()
    const found = config.providers.find((each) => each.key === key)
    if (!found) throw unknownProvider()
    const known = shown(config.PUBLIC_ORIGIN)(found)
    // First, because it is needed before a provider answers as well.
    say(`Enter this redirect URI at the provider, exactly as it is: ${known.redirectUri}`)
    const { authorizationEndpoint, faults, words } = await examine(config, found)
    if (authorizationEndpoint !== undefined) {
      const all = { ...known, authorizationEndpoint, faults }
      await printOne(all, json, ['key', 'kind', 'issuer', 'redirectUri', 'authorizationEndpoint'])
    }
    if (words.length === 0) return
    throw new OutsideError(
      'provider-unusable',
      words.map((each) => `The provider ${each}.`).join('\n')
    )
  })
}

/**
 * Whatever would keep users from signing in with a provider, as reasons and words. Loads the client
 * only here: other commands need no HTTP.
 */
export async function examine(
  { development, PUBLIC_ORIGIN }: ReturnType<typeof loadProviderConfig>,
  provider: Provider
) {
  const { createProviderClient } = await import('../outbound/provider-client.ts')
  const redirectUriOf = (key: string) => callbackOf(PUBLIC_ORIGIN, key)
  try {
    const found = await createProviderClient({ development, redirectUriOf }).examine(provider)
    return { ...found, words: found.faults.map(providerWords) }
  } catch (error) {
    const { reason, issuer } = (error instanceof DomainError && error.details) || {}
    if (reason === undefined) throw error
    const both = issuer === undefined ? '' : `: ${issuer} instead of ${provider.issuer}`
    return {
      authorizationEndpoint: undefined,
      faults: [reason],
      words: [`${providerWords(reason)}${both}`]
    }
  }
}

export function addUserProviderCommands(user: Command) {
  const list = asData(
    user
      .command('providers')
      .description('list the accounts at providers that are linked to a user')
      .argument('<user>', whoHelp)
  )
  example(list, 'portal user providers ada@example.com')
  list.action((who: string, { json }: Json) =>
    onUser(who, async ({ db }, userId) => {
      const accounts = await listProviderAccounts(db, userId)
      if (json) return printJson(accounts)
      const columns = ['provider', 'email', 'createdAt', 'lastUsedAt', 'id'] as const
      const table = tablePrinter<(typeof accounts)[number]>(columns)
      await table.add(accounts)
      await table.end()
    })
  )

  const unlink = asData(
    user
      .command('unlink')
      .description('unlink an account at a provider, and end the sessions that began with it')
      .argument('<user>', whoHelp)
      .argument('<provider>', 'key of the provider, or the id of the linked account')
  )
  example(unlink, 'portal user unlink ada@example.com google')
  unlink.action((who: string, which: string, { json }: Json) =>
    onUser(who, async ({ db, mail, actor, config: { providers } }, userId) => {
      const accounts = await listProviderAccounts(db, userId)
      const found = accounts.filter(({ id, provider }) => id === which || provider === which)
      if (found.length > 1) {
        throw new UsageError(
          'Several accounts at this provider are linked: specify the id of one. ' +
            'portal user providers lists them.'
        )
      }
      // Without one, the refusal says so.
      const id = found[0]?.id ?? userId
      await unlinkUserProvider({ db, mail, providers }, actor, { userId, id })
      say('Unlinked.')
      if (json) await printJson(found.map(withName(providers)))
    })
  )
}
