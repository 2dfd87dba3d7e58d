import './user.css'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Field, Username } from '../../shared/controls.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { Page } from '../../shared/page.tsx'
import { user as me } from '../../shared/session.ts'
import { mergeRepeated } from '../activity/merge-repeated.ts'
import { Records } from '../activity/records.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import type { Word } from '../command-line.tsx'
import { counted } from '../grouped.ts'
import { ApiKeys } from '../keys/keys.tsx'
import { Table } from '../list/table.tsx'
import type { Column } from '../list/table.tsx'
import { addressOf } from '../list/address.ts'
import { may } from '../may.ts'
import { useRemembered } from '../search/found.ts'
import { keepsSettings } from '../settings.ts'
import { Factors, Providers } from './factors.tsx'
import { UserFlags } from './flags.tsx'
import { Profile, Summary, UserActions } from './summary.tsx'
import { useRoles, UserRoles } from './roles.tsx'
import type { Role } from './roles.tsx'
import { EffectiveAccess } from './effective-access.tsx'
import { UserScopes } from './scopes.tsx'
import { UserSessions } from './sessions.tsx'
import { UserSettings } from './settings.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { RequiresPermission } from '../parts.tsx'

/** The last activity records about a user, and those of what the user did. */
const UserActivity = ({ user: { id, email } }: UserProps) => (
  <section>
    <Part id={id} title="About this user" filter={{ targetId: id }} word={['--target', email]} />
    <Part id={id} title="By this user" filter={{ actorId: id }} word={['--actor', email]} />
  </section>
)

interface PartProps {
  id: string
  title: string
  filter: { targetId?: string; actorId?: string }
  /** The option of the command that filters in the same way. */
  word: Word
}

function Part({ id, title, filter, word }: PartProps) {
  const records = useGet('/api/admin/activity', { query: { ...filter, limit: 50 } })
  return (
    <section>
      <h2>{title}</h2>
      <Loaded from={records}>
        {({ items, nextCursor }) => {
          // Records of what the user did are in the other part.
          const shown = mergeRepeated(
            items.filter(({ actorId }) => filter.actorId || actorId !== id)
          )
          return (
            <>
              <Records
                label={title}
                items={shown.slice(0, 10)}
                empty="No recent records."
                filters={filter}
              />
              {(nextCursor !== null || shown.length > 10) && (
                <Link href={addressOf('/activity', filter)}>All records {title.toLowerCase()}</Link>
              )}
              <CommandLine words={['activity list', word]} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

interface Why {
  permission: string
  roles: Role[]
}

const columns: Column<Why>[] = [
  { title: 'Permission', cell: ({ permission }) => <code>{permission}</code> },
  {
    title: 'From the role',
    cell: ({ roles }) =>
      roles
        .map(({ name, requiresSecondFactor: only }) =>
          only ? `${name} (only with a second factor)` : name
        )
        .join(', ')
  }
]

/** Lists what a user may do, and why. */
function Permissions({ user }: UserProps) {
  const loaded = useRoles(user)
  return (
    <Loaded from={loaded}>
      {({ own }) => {
        const items = permissionsOf(own)
        return (
          <section>
            <h2>Permissions</h2>
            <details>
              <summary>
                {counted(items.length, 'permission')}, and the roles that grant them
              </summary>
              <Table
                label="Permissions"
                columns={columns}
                items={items}
                keyOf={({ permission }) => permission}
                empty="No role of this user has a permission."
              />
            </details>
          </section>
        )
      }}
    </Loaded>
  )
}

const permissionsOf = (roles: Role[]): Why[] =>
  [...new Set(roles.flatMap(({ permissions }) => permissions))].sort().map((permission) => ({
    permission,
    roles: roles.filter(({ permissions }) => permissions.includes(permission))
  }))

/** How a user signs in, and the keys that act for the user. */
const Security = ({ user }: UserProps) => (
  <>
    <section>
      <h2>Second factors</h2>
      <Factors user={user} />
      <CommandLine words={[['user factors', user.email]]} />
    </section>
    <Providers user={user} />
    <RequiresPermission permission="keys:read" title="API keys">
      <ApiKeys owner={user}>
        {shortName(user)} has none. Users with the permission <code>keys:create</code> create keys
        on their account pages.
      </ApiKeys>
    </RequiresPermission>
    {may('users:update') && <Password user={user} />}
  </>
)

function Password({ user }: UserProps) {
  const { id, email } = user
  const name = shortName(user)
  return (
    <section>
      <h2>Password</h2>
      <p class="muted">
        {me.value?.id === id ? (
          'Setting one here ends all your sessions, including this one.'
        ) : (
          <>
            If {name} receives mail, <em>Send reset link</em> is better: then nobody else knows the
            password. Setting one here ends all sessions.
          </>
        )}
      </p>
      <div class="actions">
        <ConfirmButton
          label="Set a password"
          words={[['user set-password', email]]}
          call={({ password = '' }) => {
            const params = { path: { id } }
            return portal.PUT('/api/admin/users/{id}/password', { params, body: { password } })
          }}
          done={`${name} has a new password, and is signed out everywhere.`}
        >
          <p>This ends all sessions of {name}.</p>
          <Username email={email} />
          <Field
            label="New password"
            name="password"
            type="password"
            autocomplete="new-password"
            required
            maxLength={128}
          />
        </ConfirmButton>
      </div>
    </section>
  )
}

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
        <RequiresPermission permission="roles:read" title="Roles">
          <UserRoles user={user} />
          <Permissions user={user} />
        </RequiresPermission>
        <UserScopes user={user} />
        <UserFlags user={user} />
      </>
    )
  },
  seen: { title: 'What apps see', Content: (user) => <EffectiveAccess user={user} /> },
  settings: {
    title: 'Settings',
    isShown: keepsSettings,
    Content: (user) => <UserSettings user={user} />
  },
  sessions: {
    title: 'Sessions',
    Content: (user) => (
      <RequiresPermission permission="sessions:read" title="Sessions">
        <UserSessions user={user} />
      </RequiresPermission>
    )
  },
  security: { title: 'Security', Content: (user) => <Security user={user} /> },
  activity: {
    title: 'Activity',
    Content: (user) => (
      <RequiresPermission permission="activity:read" title="Activity">
        <UserActivity user={user} />
      </RequiresPermission>
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

const Json = ({ user }: UserProps) => (
  <>
    <pre tabIndex={0} aria-label="JSON">
      {JSON.stringify(user, null, 2)}
    </pre>
    <CommandLine words={[['user show', user.email], '--json']} />
  </>
)
