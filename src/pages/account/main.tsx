import '../shared/style.css'
import './style.css'
import { render } from 'preact'
import type { ComponentType } from 'preact'
import { Route, Router, Switch } from 'wouter-preact'
import { Boundary } from '../shared/boundary.tsx'
import { Dialogs } from '../shared/dialogs.tsx'
import { Loaded, nextTask, useLoaded } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { ProviderProblem } from '../shared/providers.tsx'
import { prepareLeaving, readSession, setUser, user } from '../shared/session.ts'
import { Home } from './home.tsx'
import { handOverToken, PageLink, token } from './links.tsx'
import * as mailed from './mail-links.tsx'
import { Own, showAsBefore } from './own.ts'
import { dropCodes, newCodes, RecoveryCodes } from './recovery-codes.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'
import { Security } from './security.tsx'
import { Sessions } from './sessions.tsx'
import { Header, Menu, Product } from './shell.tsx'
import { Forgot, Register, SignIn, SignInAndLeave } from './sign-in.tsx'

type RareViews = typeof import('./rare-views.ts')

interface View {
  /** Below /account. Mails link to these: see `Page` in `src/domain/mail/composer.ts`. */
  path: string
  /** Whether a user must be signed in. Without one, the sign-in form is in place of the view. */
  needsUser: boolean
  /** The sentence of that form about its purpose. */
  why?: Key
  View: ComponentType | keyof RareViews
}

const views: readonly View[] = [
  { path: '/', needsUser: true, View: Home },
  { path: '/sign-in', needsUser: false, View: SignInAndLeave },
  { path: '/register', needsUser: false, View: Register },
  { path: '/confirm', needsUser: false, View: mailed.Confirm },
  { path: '/confirm-email', needsUser: false, View: mailed.ConfirmEmail },
  { path: '/forgot', needsUser: false, View: Forgot },
  { path: '/reset', needsUser: false, View: mailed.Reset },
  { path: '/restore', needsUser: false, View: mailed.Restore },
  { path: '/revert', needsUser: false, View: () => <mailed.TakeBack isAddress /> },
  { path: '/revert-factors', needsUser: false, View: () => <mailed.TakeBack /> },
  { path: '/end-keys', needsUser: false, View: mailed.EndKeys },
  { path: '/enrol', needsUser: token === '', why: 'why-enrol', View: 'Enrol' },
  { path: '/invitation', needsUser: false, View: 'Invitation' },
  { path: '/security', needsUser: true, why: 'why-security', View: Security },
  { path: '/sessions', needsUser: true, why: 'why-sessions', View: Sessions },
  ...(settings.keepsSettings
    ? [{ path: '/settings', needsUser: true, why: 'why-settings', View: 'Settings' } as const]
    : []),
  { path: '/memberships', needsUser: true, why: 'why-memberships', View: 'Memberships' },
  { path: '/profile', needsUser: true, why: 'why-data', View: 'Profile' },
  { path: '/data', needsUser: true, why: 'why-data', View: 'Data' },
  { path: '/delete', needsUser: true, why: 'why-delete', View: 'Delete' },
  { path: '/deleted', needsUser: false, View: 'Deleted' }
]

/** A view whose code is loaded when it is first shown. */
function Rare({ name }: { name: keyof RareViews }) {
  const loaded = useLoaded('rare views', () => import('./rare-views.ts'))
  return (
    <Loaded from={loaded}>
      {(rare) => {
        const View = rare[name]
        return <View />
      }}
    </Loaded>
  )
}

function Account() {
  const loaded = useLoaded('session', readSession)
  return (
    <Router base="/account">
      {user.value && <Own />}
      {user.value && <Header />}
      {user.value && <Menu />}
      {/* Another element: nothing moves from the card to the page. */}
      <main key={user.value ? 'page' : 'card'} class={user.value ? undefined : 'gate card'}>
        {user.value ? <ProviderProblem /> : <Product />}
        <Loaded from={loaded}>
          {() =>
            user.value && newCodes.value ? (
              <RecoveryCodes codes={newCodes.value} />
            ) : (
              <Switch>
                {views.map(({ path, needsUser, why, View }) => (
                  <Route key={path} path={path}>
                    {needsUser && user.value === null ? (
                      // The view keeps its address, and the token of a link.
                      <SignIn why={why} onSignedIn={(signedIn) => setUser(signedIn.user)} />
                    ) : typeof View === 'string' ? (
                      <Rare name={View} />
                    ) : (
                      <View />
                    )}
                  </Route>
                ))}
                <Route>
                  <Page title={say('not-found')}>
                    <p>{say('not-found-text')}</p>
                    <PageLink to="" label={say('your-account')} />
                  </Page>
                </Route>
              </Switch>
            )
          }
        </Loaded>
      </main>
      <Dialogs />
    </Router>
  )
}

prepareLeaving(() => {
  dropCodes() // or the browser would ask before the page of another user
  handOverToken()
})
await nextTask()
await showAsBefore()
await nextTask()
render(
  <Boundary>
    <Account />
  </Boundary>,
  document.body
)
