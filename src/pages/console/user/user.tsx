import './user.css'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { CommandLine } from '../command-line.tsx'
import { Needs } from '../needs.tsx'
import { useRemembered } from '../search/recent.ts'
import { keepsSettings } from '../settings.ts'
import { UserActivity } from './activity.tsx'
import { UserFlags } from './flags.tsx'
import { Summary, UserActions } from './head.tsx'
import { Permissions } from './permissions.tsx'
import { Profile } from './profile.tsx'
import { UserRoles } from './roles.tsx'
import { Security } from './security.tsx'
import { SeenAs } from './seen.tsx'
import { UserSessions } from './sessions.tsx'
import { UserSettings } from './settings.tsx'

interface Tab {
  title: string
  /** By default always. */
  isShown?(): boolean
  Content(user: Schemas['User']): ComponentChildren
}

const tabs: Record<string, Tab> = {
  profile: { title: 'Profile', Content: (user) => <Profile user={user} /> },
  access: {
    title: 'Access',
    Content: (user) => (
      <>
        <Needs permission="roles:read" title="Roles">
          <UserRoles user={user} />
          <Permissions user={user} />
        </Needs>
        <UserFlags user={user} />
      </>
    )
  },
  seen: { title: 'What apps see', Content: (user) => <SeenAs user={user} /> },
  settings: {
    title: 'Settings',
    isShown: keepsSettings,
    Content: (user) => <UserSettings user={user} />
  },
  sessions: {
    title: 'Sessions',
    Content: (user) => (
      <Needs permission="sessions:read" title="Sessions">
        <UserSessions user={user} />
      </Needs>
    )
  },
  security: { title: 'Security', Content: (user) => <Security user={user} /> },
  activity: {
    title: 'Activity',
    Content: (user) => (
      <Needs permission="activity:read" title="Activity">
        <UserActivity user={user} />
      </Needs>
    )
  },
  json: { title: 'JSON', Content: (user) => <Json user={user} /> }
}

/** Everything about one user. Its sections have addresses. */
export function User({ id = '', tab = 'profile' }: Record<string, string | undefined>) {
  const loaded = useGet('/api/admin/users/{id}', { path: { id } })
  const { value: user } = loaded
  const shownTabs = Object.entries(tabs).filter(([, { isShown }]) => isShown?.() ?? true)
  const [, shown] = shownTabs.find(([key]) => key === tab) ?? []
  useRemembered(
    user && { kind: 'user', path: `/users/${id}`, title: user.name, detail: user.email }
  )
  return (
    <Page
      title={user?.name ?? 'User'}
      about={user && <Summary user={user} />}
      action={user && <UserActions user={user} />}
    >
      <nav class="tabs" aria-label="Sections">
        <ul>
          {shownTabs.map(([key, { title }]) => (
            <li key={key}>
              <Link
                href={key === 'profile' ? `/users/${id}` : `/users/${id}/${key}`}
                aria-current={key === tab ? 'page' : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Loaded from={loaded}>
        {(user) => shown?.Content(user) ?? <p>A user has no section of this name.</p>}
      </Loaded>
    </Page>
  )
}

const Json = ({ user }: { user: Schemas['User'] }) => (
  <>
    <pre tabIndex={0} aria-label="JSON">
      {JSON.stringify(user, null, 2)}
    </pre>
    <CommandLine words={[['user show', user.email], '--json']} />
  </>
)
