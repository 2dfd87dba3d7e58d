import './user.css'
import type { ComponentType } from 'preact'
import { Link } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import { Choice, Field, Username } from '../../shared/controls.tsx'
import { isMissing, Loaded, useGet, useLoaded } from '../../shared/load.tsx'
import { Page, showCurrent } from '../../shared/page.tsx'
import { Time } from '../../shared/time.tsx'
import { user as me } from '../../shared/session.ts'
import { mergeRepeated } from '../activity/merge-repeated.ts'
import { Records } from '../activity/records.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { Command, CommandLine, commandOf, Copy } from '../command-line.tsx'
import type { Word } from '../command-line.tsx'
import { ApiKeys } from '../keys/keys.tsx'
import { addressOf, useParameters } from '../list/address.ts'
import { Filters } from '../list/view.tsx'
import { may } from '../may.ts'
import { useRemembered } from '../search/found.ts'
import { keepsSettings } from '../settings.ts'
import { Factors, Providers } from './factors.tsx'
import { UserFlags } from './flags.tsx'
import { Profile, Summary, UserActions } from './summary.tsx'
import { Obstacles, ResetLimits, useObstacles } from './obstacles.tsx'
import { UserRoles } from './roles.tsx'
import { EffectiveAccess } from './effective-access.tsx'
import { UserScopes } from './scopes.tsx'
import { UserSessions } from './sessions.tsx'
import { UserSettings } from './settings.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { Gone, RequiresPermission, Row, titleOf } from '../parts.tsx'

const sides = { about: 'About this user', by: 'By this user' }
const both = 'About or by this user'

/** The last activity records about a user, and of what the user did. */
function UserActivity({ user: { id, email } }: UserProps) {
  const [values, setValues] = useParameters(['records'])
  const all: { title: string; filter: Record<string, string>; word: Word }[] = [
    { title: sides.about, filter: { targetId: id }, word: ['--target', email] },
    { title: sides.by, filter: { actorId: id }, word: ['--actor', email] }
  ]
  const only = all.find(({ title }) => title === sides[values.records as keyof typeof sides])
  const shown = only ? [only] : all
  const loaded = useLoaded(['/api/admin/activity', 'user', shown], async (signal) => {
    const lists = await Promise.all(
      shown.map(({ filter }) => {
        const query = { ...filter, limit: 50 }
        return ok(portal.GET('/api/admin/activity', { params: { query }, signal }))
      })
    )
    // Records of what users did to themselves are in both lists. Ids grow with time.
    const records = new Map(lists.flatMap(({ items }) => items.map((item) => [item.id, item])))
    return [...records.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 50)
  })
  return (
    <section>
      <Filters values={values} onChange={setValues}>
        <Choice label="Records" name="records" options={Object.entries({ '': both, ...sides })} />
      </Filters>
      <Loaded from={loaded}>
        {(items) => (
          <>
            <Records
              label={only?.title ?? both}
              heading="h2"
              items={mergeRepeated(items)}
              empty="No recent records."
              filters={only?.filter ?? {}}
            />
            {items.length === 50 &&
              shown.map(({ title, filter }) => (
                <p key={title}>
                  <Link href={addressOf('/activity', filter)}>
                    All records {title.toLowerCase()}
                  </Link>
                </p>
              ))}
            <Command
              command={shown.map(({ word }) => commandOf(['activity list', word])).join('\n')}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** How a user signs in, and the keys that act for the user. */
function Security({ user }: UserProps) {
  const obstacles = useObstacles(user)
  const isNew = obstacles?.some(({ code }) => code === 'invited' || code === 'no-password')
  const until = obstacles?.find(({ code }) => code === 'too-many-attempts')?.until
  return (
    <>
      <section>
        <h2>Sign-in</h2>
        <ul class="rows" aria-label="Sign-in">
          <Row
            title="Password"
            below={isNew ? 'None yet.' : 'A reset link is safer: then only the user knows it.'}
          >
            {may('users:update') && <Password user={user} />}
          </Row>
          <Row
            title="Attempts"
            below={
              until ? (
                <>
                  Blocked until <Time at={until} />
                </>
              ) : (
                'Not blocked. Known devices have limits of their own.'
              )
            }
          >
            <ResetLimits user={user} />
          </Row>
        </ul>
      </section>
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
    </>
  )
}

function Password({ user }: UserProps) {
  const { id, email } = user
  const name = shortName(user)
  return (
    <ConfirmButton
      label="Set a password"
      words={[['user set-password', email]]}
      call={({ password = '' }) => {
        const params = { path: { id } }
        return portal.PUT('/api/admin/users/{id}/password', { params, body: { password } })
      }}
      done={`${name} has a new password, and is signed out everywhere.`}
    >
      <p>
        {me.value?.id === id
          ? 'This ends all your sessions, including this one.'
          : `This ends all sessions of ${name}. If they receive mail, a link is better: then ` +
            'nobody else knows the password.'}
      </p>
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
  )
}

interface Tab {
  title: string
  /** By default always. */
  isShown?(): boolean
  /** Without it, the tab says what is missing. */
  permission?: string
  Content: ComponentType<UserProps>
}

const Access = ({ user }: UserProps) => (
  <>
    <RequiresPermission permission="roles:read" title="Roles">
      <UserRoles user={user} />
    </RequiresPermission>
    <UserScopes user={user} />
    <EffectiveAccess user={user} />
    <UserFlags user={user} />
  </>
)

function Json({ user }: UserProps) {
  const text = JSON.stringify(user, null, 2)
  return (
    <>
      <Copy text={text} what="JSON" />
      <pre tabIndex={0} aria-label="JSON">
        {text}
      </pre>
      <CommandLine words={[['user show', user.email], '--json']} />
    </>
  )
}

const tabs: Record<string, Tab> = {
  profile: { title: 'Profile', Content: Profile },
  access: { title: 'Access', Content: Access },
  settings: { title: 'Settings', isShown: keepsSettings, Content: UserSettings },
  sessions: { title: 'Sessions', permission: 'sessions:read', Content: UserSessions },
  security: { title: 'Security', Content: Security },
  activity: { title: 'Activity', permission: 'activity:read', Content: UserActivity },
  json: { title: 'JSON', Content: Json }
}

/** Everything about one user. Its sections have addresses. */
export function User({ id = '', tab = 'profile' }: Record<string, string | undefined>) {
  const loaded = useGet('/api/admin/users/{id}', { path: { id } })
  const { value: user } = loaded
  useObstacles({ id }) // at once, although the user is needed to show them
  const shownTabs = Object.entries(tabs).filter(([, { isShown }]) => isShown?.() ?? true)
  const [, shown] = shownTabs.find(([key]) => key === tab) ?? []
  useRemembered(
    user && { kind: 'user', path: `/users/${id}`, title: user.name, detail: user.email }
  )
  return (
    <Page
      title={titleOf('User', loaded, user?.name)}
      about={user && <Summary user={user} />}
      action={user && <UserActions user={user} />}
    >
      {user && <Obstacles user={user} />}
      {!isMissing(loaded.error) && (
        <nav class="tabs" aria-label="Sections">
          <ul ref={(list) => showCurrent(list)}>
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
      )}
      <Loaded from={loaded} missing={<Gone title="There is no such user" rest="users" />}>
        {(user) =>
          shown ? (
            <RequiresPermission {...shown}>
              <shown.Content user={user} />
            </RequiresPermission>
          ) : (
            <p>A user has no section of this name.</p>
          )
        }
      </Loaded>
    </Page>
  )
}
