import t from 'tap'
import { configured } from '../support/providers/configured.ts'
import { startOidcProvider } from '../support/providers/oidc.ts'
import { checkAccessibility } from './axe.ts'
import { press, shows, startConsole } from './console-pages.ts'
import { keepPicture } from './grid.ts'

const acme = await startOidcProvider(t)
const provider = configured.oidc(acme)
const { anAdministrator, visitAs } = await startConsole(t, {
  providers: [
    provider,
    { ...provider, key: 'away', name: 'Away', issuer: 'http://127.0.0.1:9', listed: false }
  ]
})
const { user: admin } = await anAdministrator()

t.test('providers are checked from the console, which says what is wrong', async (t) => {
  const page = await visitAs(admin, '/console/providers')
  const row = (name: string) => `[aria-label=Providers] li:has(strong:text-is("${name}"))`
  await shows(page, '/api/auth/providers/acme/callback', row('Acme'))
  await shows(page, 'Not listed', row('Away'))
  await press(page, 'Check Acme')
  await shows(page, 'Answers, and accepts the portal', row('Acme'))
  await press(page, 'Check Away')
  await shows(page, 'The provider cannot be reached', row('Away'))
  await checkAccessibility(t, page, 'providers')
  await keepPicture(page, 'console-providers')
  acme.alter.discovery = ({ jwks_uri: _, ...body }) => body
  await press(page, 'Check Acme')
  await shows(page, 'The provider publishes no key that can be used.', row('Acme'))
})
