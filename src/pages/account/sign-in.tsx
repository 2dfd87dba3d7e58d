import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../shared/client.ts'
import { Page } from '../shared/page.tsx'
import { settings } from '../shared/settings.ts'
import { user } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import type { Due } from '../shared/sign-in.tsx'
import { OtherWays } from './links.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

interface SignInProps {
  /** Where a provider leads back to, by default this page. */
  returnTo?: string
  /** What for: something that only those with an account can do. */
  why?: Key | undefined
  onSignedIn(signedIn: Schemas['SignedIn']): void
}

export function SignIn({ why, ...props }: SignInProps) {
  const [due, setDue] = useState<Due>()
  return (
    <Page
      title={due ? say('enter-factor') : say('sign-in-to', { product: settings.product })}
      about={due ? due.email : why && say(why)}
    >
      <SignInForm {...props} onDue={setDue} />
      {!due && <OtherWays to={why ? ['forgot'] : ['forgot', 'register']} />}
    </Page>
  )
}

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
