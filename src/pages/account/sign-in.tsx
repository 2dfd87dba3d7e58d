import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../shared/client.ts'
import { Page } from '../shared/page.tsx'
import { settings } from '../shared/settings.ts'
import { user } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import { OtherWays } from './links.tsx'
import { say } from './say.ts'

interface SignInProps {
  /** Where a provider leads back to, by default this page. */
  returnTo?: string
  onSignedIn(signedIn: Schemas['SignedIn']): void
}

export const SignIn = (props: SignInProps) => (
  <Page title={say('sign-in-to', { product: settings.product })}>
    <SignInForm {...props} />
    <OtherWays />
  </Page>
)

/** Leads to the app afterwards, or to `?return=`. */
export function SignInAndLeave() {
  const { returnTo = '/' } = settings
  return (
    <SignedOut>
      <SignIn returnTo={returnTo} onSignedIn={() => location.assign(returnTo)} />
    </SignedOut>
  )
}

/** A view for those without an account or session. Others go where it leads in the end. */
export function SignedOut({ children }: { children: ComponentChildren }) {
  const [wasSignedIn] = useState(user.value !== null)
  useEffect(() => {
    if (wasSignedIn) location.replace(settings.returnTo ?? '/')
  }, [wasSignedIn])
  return wasSignedIn ? null : <>{children}</>
}
