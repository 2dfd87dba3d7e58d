import t from 'tap'
import { modulesOf } from './support/loaded-modules.ts'

// Modules that a process loads only when it needs them, for a short start and little memory.

const providers = /node_modules\/(openid-client|oauth4webapi|oidc-provider)\/|src\/dev-provider\//
const client = /^NativeModule internal\/deps\/undici\//
const argon2 = /node_modules\/@node-rs\/argon2\//
const admin = /routes\/api\/admin\/|routes\/(docs|dev-mailbox|console)|pages\/dev-mailbox/

/** The document needs neither services nor the import, which are loaded here. */
const start = (mode: string) =>
  modulesOf(`
    await import("./plugins/context.js")
    await import("./src/commands/import.js")
    const { documentOf } = await import("./src/document.js")
    await documentOf("${mode}")`)
const production = start('production')
const development = start('development')
const isIn = (modules: string[], pattern: RegExp) => modules.some((url) => pattern.test(url))

t.test('production does not load the modules of the admin API', async (t) => {
  t.same(
    production.filter((url) => admin.test(url)),
    []
  )
  t.ok(development.filter((url) => admin.test(url)).length > 5)
  t.ok(isIn(development, /routes\/dev-mailbox/))
  t.notOk(isIn(development, /routes\/console-session/))
  const ofConsole = start('console')
  t.ok(isIn(ofConsole, /routes\/console-session/))
  t.notOk(isIn(ofConsole, /routes\/dev-mailbox/))
})

t.test('a portal without an app loads nothing of what serves one', async (t) => {
  t.notOk(isIn(production, /src\/base\//))
  t.notOk(isIn(development, /src\/base\//))
})

t.test('a portal does not load the HTTP client of Node until the first use', async (t) => {
  t.notOk(isIn(production, client))
  t.notOk(isIn(development, client))
  t.ok(isIn(modulesOf('new Response()'), client))
})

t.test('a portal loads no library for providers until the first use', async (t) => {
  t.notOk(isIn(production, providers))
  t.notOk(isIn(development, providers))
  const used = modulesOf(`
    const { createProviderClient } = await import("./src/outbound/provider-client.js")
    const client = createProviderClient({ development: true, redirectUriOf: (key) => key })
    const nobody = { key: "nobody", kind: "oidc", issuer: "http://127.0.0.1:1", credential: { secret: "x" } }
    await client.examine(nobody).catch(() => {})`)
  t.ok(isIn(used, /node_modules\/openid-client\//))
})

t.test('Argon2 is loaded for the first hash that needs it, and for no other', async (t) => {
  t.notOk(isIn(production, argon2))
  const rest = `${'a'.repeat(22)}:${'a'.repeat(43)}`
  const compareWith = (...hashes: string[]) =>
    modulesOf(`
      const { compare } = await import("./src/domain/passwords/comparison.js")
      for (const hash of ${JSON.stringify(hashes)}) {
        await compare({ password: "x", hash, work: { cost: 4, foreign: {} } })
      }`)
  const others = [`$2b$04$${'a'.repeat(53)}`, `f1:pbkdf2-sha256:10000:${rest}`]
  t.notOk(isIn(compareWith(...others), argon2))
  t.ok(isIn(compareWith(`f1:argon2id:1024.1.1:${rest}`), argon2))
})
