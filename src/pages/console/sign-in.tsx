import './sign-in.css'
import { Page } from '../shared/page.tsx'
import { settings } from '../shared/settings.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import { setUser } from '../shared/session.ts'
import { Mark } from './shell/mark.tsx'

/** In place of every view, which is shown afterwards. */
export const SignIn = () => (
  <main class="gate">
    <Mark />
    <Page
      title="Sign in to the console"
      about={
        <>
          {settings.product}
          {settings.environment && `, ${settings.environment}`}
        </>
      }
    >
      <SignInForm onSignedIn={(signedIn) => setUser(signedIn.user)} />
      <FirstSteps />
    </Page>
  </main>
)

/** Which account exists on the first day, and what to do without it. */
function FirstSteps() {
  const { firstAdmin } = settings
  return (
    <aside>
      {firstAdmin && (
        <p>
          The first start created <code>{firstAdmin.email}</code>. Its password is in{' '}
          <code>{firstAdmin.passwordFile}</code>, in the folder of the portal, unless it was changed
          since.
        </p>
      )}
      {settings.hasAccountPages && (
        <p>
          <a href="/account/forgot">Forgot the password?</a>
        </p>
      )}
    </aside>
  )
}
