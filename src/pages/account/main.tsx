import { handOverToken } from './token.ts'
import '../shared/style.css'
import './style.css'
import './shell.css'
import { render } from 'preact'
import { Route, Router, Switch } from 'wouter-preact'
import { Boundary } from '../shared/boundary.tsx'
import { Dialogs } from '../shared/dialogs.tsx'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { prepareLeaving } from '../shared/leaving.ts'
import { Page } from '../shared/page.tsx'
import { ProviderProblem } from '../shared/providers.tsx'
import { readSession } from '../shared/session-calls.ts'
import { setUser, user } from '../shared/session.ts'
import { Header, Menu, Product } from './shell.tsx'
import { PageLink } from './links.tsx'
import { dropCodes, newCodes } from './new-codes.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { say } from './say.ts'
import { SignIn } from './sign-in.tsx'
import { views } from './views.ts'

function Account() {
  const loaded = useLoaded('session', readSession)
  return (
    <Router base="/account">
      {user.value && <Header />}
      {user.value && <Menu />}
      <main class={user.value ? undefined : 'card'}>
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
                      // In place, so that the view keeps its address and the token of a link.
                      <SignIn why={why} onSignedIn={(signedIn) => setUser(signedIn.user)} />
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
render(
  <Boundary>
    <Account />
  </Boundary>,
  document.body
)
