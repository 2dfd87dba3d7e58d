import type { Schemas } from '../shared/client.ts'
import { Page } from '../shared/page.tsx'
import { settings } from '../shared/settings.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import { OtherWays } from './links.tsx'
import { say } from './say.ts'

interface SignInProps {
  onSignedIn(signedIn: Schemas['SignedIn']): void
}

export const SignIn = ({ onSignedIn }: SignInProps) => (
  <Page title={say('sign-in-to', { product: settings.product })}>
    <SignInForm onSignedIn={onSignedIn} />
    <OtherWays />
  </Page>
)

/** Leads to the app afterwards, or to `?return=`. */
export const SignInAndLeave = () => (
  <SignIn onSignedIn={() => location.assign(settings.returnTo ?? '/')} />
)
