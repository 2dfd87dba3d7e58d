import type { Test } from 'tap'
import { buildApp } from '../../../src/app.ts'
import type { Config } from '../../../src/config/config.ts'
import type { Provider } from '../../../src/domain/providers/provider.ts'
import { started, testDatabase } from '../app.ts'
import { emptied } from '../empty-app.ts'
import { sharedApp } from '../shared-apps.ts'
import { noLimitsByAddress, testConfig } from '../test-config.ts'
import { configured } from './configured.ts'
import { startOidcProvider } from './oidc.ts'
import type { TestProvider } from './oidc.ts'

/** The OpenID Connect providers of a shared portal, and their settings, both in the same order. */
interface World {
  servers: TestProvider[]
  providers: Provider[]
}
const worlds = new Map<string, World>()

/**
 * A portal with OpenID Connect providers of these keys and settings. Tests share it one after the
 * other: each finds no users, mails and records of others, and providers that tell the truth. Those
 * that change what the portal keeps, as keys and discovery documents, need `ownApp`. Settings of a
 * provider can be changed at any time.
 */
export async function portalOf<Key extends string>(
  t: Test,
  settings: Record<Key, Partial<Provider>>,
  { sendsMail = true, ...config }: Partial<Config> & { sendsMail?: boolean } = {}
) {
  const keys = Object.keys(settings) as Key[]
  const name = JSON.stringify(['providers', keys, sendsMail, config])
  const app = await sharedApp(t, name, async (life) => {
    const servers = await Promise.all(keys.map(() => startOidcProvider(life, { keys })))
    const providers = servers.map((server) => configured.oidc(server))
    worlds.set(name, { servers, providers })
    const changes = { ...noLimitsByAddress, ...config, providers }
    const database = await testDatabase(life)
    const app = await started(t, buildApp(testConfig(changes), { database }), life)
    if (!sendsMail) app.context.mail = undefined
    return app
  })
  const { servers, providers } = worlds.get(name) as World
  for (const server of servers) server.reset()
  for (const [i, key] of keys.entries()) {
    const [server, provider] = [servers[i], providers[i]] as [TestProvider, Provider]
    for (const name of Object.keys(provider)) delete provider[name as keyof Provider]
    Object.assign(provider, configured.oidc(server, { key, ...settings[key] }))
  }
  await emptied(app.db)
  return {
    app,
    providers,
    ...(Object.fromEntries(keys.map((key, i) => [key, servers[i]])) as Record<Key, TestProvider>)
  }
}
