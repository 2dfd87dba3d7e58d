import '../shared/style.css'
import { effect } from '@preact/signals'
import { render } from 'preact'
import type { ComponentType } from 'preact'
import { Link, matchRoute, Redirect, Router, useLocation, useRouter } from 'wouter-preact'
import { Boundary } from '../shared/boundary.tsx'
import { Loaded, nextTask, revealWhenLoaded, useLoaded, useNextTask } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Mistake } from '../shared/problem.tsx'
import { restoreScroll } from '../shared/restore-scroll.ts'
import { ProviderProblem } from '../shared/providers.tsx'
import { user } from '../shared/session.ts'
import { applyTheme } from '../shared/theme.ts'
import { NewKey } from './keys/new-key.tsx'
import { may } from './may.ts'
import { Shell } from './shell/shell.tsx'
import { views } from './views.ts'
import type { Content, RareViews, View } from './views.ts'

/** Parts in which the consoles of development and of an operator differ. */
interface Edition {
  /** Finds out who is signed in. */
  read(): Promise<void>
  /** In place of the console while nobody is. */
  Nobody: ComponentType
  /** Above every view. */
  Where?: ComponentType
  /** Asks the user to authenticate again. */
  Dialogs: ComponentType
}

function Console({ read, Nobody, Where, Dialogs }: Edition) {
  const session = useLoaded('session', read)
  return (
    <Router base="/console">
      {user.value === undefined ? (
        'error' in session && (
          <main>
            <Loaded from={session}>{() => null}</Loaded>
          </main>
        )
      ) : user.value === null ? (
        <Nobody />
      ) : (
        <>
          <Shell where={Where && <Where />}>
            <ProviderProblem />
            <Views />
          </Shell>
          <NewKey />
          <Dialogs />
        </>
      )}
    </Router>
  )
}

function Views() {
  const [path] = useLocation()
  const { parser } = useRouter()
  const first = views.find(({ group, permission }) => group && may(permission))
  if (path === '/' && first && !may('activity:read')) return <Redirect to={first.path} replace />
  for (const view of views) {
    const [matches, parameters] = matchRoute(parser, view.path, path)
    if (matches) return <Permitted key={view.path} view={view} parameters={parameters} />
  }
  return (
    <Page title="Page not found" about="The navigation and the search lead to every page.">
      <Link href="~/console" role="button">
        Overview
      </Link>
    </Page>
  )
}

type Parameters = Record<string, string | undefined>

/** The view, if the user may see it. The portal checks the permission again with each request. */
function Permitted({ view, parameters }: { view: View; parameters: Parameters }) {
  const { title, permission, parent, Content } = view
  const above = views.find(({ path }) => path === parent)
  const isNext = useNextTask()
  if (!isNext) return null
  if (may(permission)) {
    return (
      // The first parameter names what is shown. Others, such as a tab, are parts of it.
      <Boundary key={parameters[0]}>
        {above && (
          <nav class="above" aria-label="Breadcrumb">
            <Link href={above.path}>{above.title}</Link>
          </nav>
        )}
        {typeof Content === 'string' ? (
          <Rare name={Content} title={title} parameters={parameters} />
        ) : (
          <Content {...parameters} />
        )}
      </Boundary>
    )
  }
  return (
    <Page title={title}>
      <p>
        This page needs the permission <code>{permission}</code>, which you do not have in this
        session. Ask an administrator for a role that has it.
      </p>
      {user.value && user.value.suspendedRoles.length > 0 && (
        <p>
          Some of your roles require a second factor:{' '}
          <code>{user.value.suspendedRoles.join(', ')}</code>. Set one up, or sign in with it.
        </p>
      )}
    </Page>
  )
}

let rareViews: RareViews | undefined

async function loadRareViews() {
  try {
    return (rareViews ??= await import('./rare-views.ts'))
  } catch {
    throw new Mistake(
      'The code of this view could not be loaded. Check the connection and try again. If that ' +
        'does not help, reload the page: the portal may have a new version.'
    )
  }
}

interface RareProps {
  name: keyof RareViews
  title: string
  parameters: Parameters
}

/** A view whose code is loaded when it is first needed. */
function Rare({ name, title, parameters }: RareProps) {
  const loaded = useLoaded('rare views', loadRareViews)
  const View: Content | undefined = (loaded.value ?? rareViews)?.[name]
  if (View) return <View {...parameters} />
  return (
    <Page title={title}>
      <Loaded from={loaded}>{() => null}</Loaded>
    </Page>
  )
}

/** Once the browser has time, so that nobody waits for them. Views try again themselves. */
const preload = () => {
  loadRareViews().catch(() => {})
}

export async function startConsole(edition: Edition) {
  await nextTask()
  applyTheme() // reading the storage takes a while
  await nextTask()
  // Before the signal renders the page.
  const stop = effect(() => {
    if (!user.value) return
    stop()
    void revealWhenLoaded().then(() =>
      'requestIdleCallback' in window ? requestIdleCallback(preload) : setTimeout(preload, 1000)
    )
  })
  restoreScroll()
  render(
    <Boundary>
      <Console {...edition} />
    </Boundary>,
    document.body
  )
}
