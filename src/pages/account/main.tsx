import './token.ts'
import '../shared/style.css'
import { render } from 'preact'
import { Redirect, Route, Router, Switch } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import { Dialogs } from '../shared/dialogs.tsx'
import { Loaded, useLoaded } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { readSession, user, watchSession } from '../shared/session.ts'
import { settings } from '../shared/settings.ts'
import { say } from './say.ts'
import { views } from './views.ts'

/** What this portal offers, and who is signed in. */
const load = () => Promise.all([ok(portal.GET('/api/auth/options')), readSession()])

function Account() {
  const loaded = useLoaded(load)
  return (
    <Router base="/account">
      <main class="narrow">
        {settings.logo && <img class="logo" src={settings.logo} alt={settings.product} />}
        <Loaded from={loaded}>
          {([options]) => (
            <Switch>
              {views.map(({ path, needsUser, View }) => (
                <Route key={path} path={path}>
                  {needsUser && user.value === null ? (
                    <Redirect
                      to={`/sign-in?return=${encodeURIComponent(location.pathname)}`}
                      replace
                    />
                  ) : (
                    <View options={options} />
                  )}
                </Route>
              ))}
              <Route>
                <Page title={say('not-found')}>
                  <p>{say('not-found-text')}</p>
                </Page>
              </Route>
            </Switch>
          )}
        </Loaded>
      </main>
      <Dialogs />
    </Router>
  )
}

watchSession()
render(<Account />, document.body)
