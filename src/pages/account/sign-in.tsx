import { Page } from '../shared/page.tsx'
import { settings } from '../shared/settings.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Schemas } from '../shared/client.ts'
import { say } from './say.ts'

/** Leads to the app afterwards, or to the page that needed the sign-in. */
export const SignIn = ({ options }: { options: Schemas['SignInOptions'] }) => (
  <Page title={say('sign-in-to', { product: settings.product })}>
    <SignInForm
      withPasskeys={options.passkeys}
      onSignedIn={() => location.assign(settings.returnTo ?? '/')}
    />
  </Page>
)
