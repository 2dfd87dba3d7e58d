import t from 'tap'
import { modulesOf } from '../support/loaded-modules.ts'

const librariesOf = (script: string) =>
  modulesOf(script).filter((url) =>
    /node_modules\/(openid-client|oauth4webapi|oidc-provider)\/|src\/dev-provider\//.test(url)
  )
/** The document needs no services, which are imported here. */
const start = (mode: string) =>
  `await import("./plugins/services.js"); const { documentOf } = await import("./src/document.js"); await documentOf("${mode}")`

t.test('a portal loads no library for providers until the first use', async (t) => {
  for (const mode of ['production', 'development']) t.same(librariesOf(start(mode)), [], mode)
  const used = librariesOf(`
    const { createProviderClient } = await import("./src/outbound/provider-client.js")
    const client = createProviderClient({ development: true, redirectUriOf: (key) => key })
    const nobody = { key: "nobody", kind: "oidc", issuer: "http://127.0.0.1:1", credential: { secret: "x" } }
    await client.discover(nobody).catch(() => {})`)
  t.ok(used.some((url) => url.includes('node_modules/openid-client/')))
})
