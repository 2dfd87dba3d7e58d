import './sign-in.css'
import { Dialogs } from '../shared/dialogs.tsx'
import { Page, settings } from '../shared/page.tsx'
import { readSession, setUser } from '../shared/session.ts'
import { SignInForm } from '../shared/sign-in.tsx'
import { Brand } from './shell/icons.tsx'
import { startConsole } from './start.tsx'

/** In place of every view, which is shown afterwards. */
const SignIn = () => (
  <main class="gate card">
    <div class="brand">
      <Brand />
    </div>
    <Page title="Sign in to the console">
      <SignInForm
        forgot={settings.hasAccountPages ? '/account/forgot' : undefined}
        onSignedIn={(signedIn) => setUser(signedIn.user)}
      />
      {settings.firstAdmin && (
        <aside>
          The first start created <code>{settings.firstAdmin.email}</code>. Its password is in{' '}
          <code>{settings.firstAdmin.passwordFile}</code>, in the folder of the portal, unless it
          was changed since.
        </aside>
      )}
    </Page>
  </main>
)

await startConsole({ read: readSession, Nobody: SignIn, Dialogs })
