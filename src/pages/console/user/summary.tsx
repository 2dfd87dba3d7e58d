import { Link } from 'wouter-preact'
import { capital } from '../../shared/capital.ts'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Area, EmailField, Field } from '../../shared/controls.tsx'
import { Loaded, useGet, useLoaded } from '../../shared/load.tsx'
import { profileInputs } from '../../../common/profile-fields.ts'
import { options, user as me } from '../../shared/session.ts'
import { saveJson } from '../../shared/save-file.ts'
import { themeNames } from '../../shared/theme.ts'
import { Ago, Time } from '../../shared/time.tsx'
import { ActionButton, ConfirmButton, DeleteZone } from '../action-buttons.tsx'
import { counted } from '../grouped.ts'
import { may } from '../may.ts'
import { nameOfRole } from '../roles/names.ts'
import { change, report } from '../shell/status.tsx'
import { useRoles } from './roles.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { CommandLine } from '../command-line.tsx'
import { shortened } from '../flags/sentences.ts'
import { ShortId } from '../user-link.tsx'
import { Facts, Row } from '../parts.tsx'
import { mergeRepeated } from '../activity/merge-repeated.ts'
import { Records } from '../activity/records.tsx'
import { SendLink, Status, useObstacles } from './obstacles.tsx'

const most = 50

/** The number of live sessions of a user: 50 stands for more. Undefined until it is known. */
function useLiveSessions({ id: userId }: { id: string }) {
  const query = { userId, state: 'active', limit: most } as const
  return useLoaded(['/api/admin/sessions', 'count', userId], async (signal) =>
    may('sessions:read')
      ? (await ok(portal.GET('/api/admin/sessions', { params: { query }, signal }))).items.length
      : undefined
  ).value
}

/** Ends all sessions of a user. */
function SignOutEverywhere({ user }: UserProps) {
  const { id: userId, email } = user
  const name = shortName(user)
  const live = useLiveSessions(user)
  const sessions = live && live < most ? counted(live, 'session') : undefined
  return (
    <ActionButton
      label="Sign out everywhere"
      action={`Sign out ${name}`}
      words={['session revoke', ['--user', email]]}
      call={() => portal.DELETE('/api/admin/sessions', { params: { query: { userId } } })}
      done={
        `${name} is signed out everywhere.` +
        (sessions === undefined ? '' : ` ${sessions} ${live === 1 ? 'has' : 'have'} ended.`)
      }
      question={
        (live === 0
          ? `${name} has no live session.`
          : `Ends ${sessions ?? 'every session'} of ${name}. ` +
            'The next request of each is rejected.') +
        (me.value?.id === userId
          ? ' These are your own sessions: you sign in again afterwards.'
          : '')
      }
    />
  )
}

/** Who it is, and what one must know before doing anything. */
export const Summary = ({
  user: { id, email, emailVerified, status, secondFactor, deleteAt }
}: UserProps) => (
  <>
    {email}
    <span class="summary">
      {me.value?.id === id && <span class="chip chosen">You</span>}
      {deleteAt === null ? (
        <span class={status === 'active' ? 'chip good' : 'chip bad'}>{capital(status)}</span>
      ) : (
        <span class="chip bad">
          Will be deleted <Time at={deleteAt} />
        </span>
      )}
      <span class={emailVerified ? 'chip' : 'chip warn'}>
        {emailVerified ? 'Address confirmed' : 'Address not confirmed'}
      </span>
      <span class="chip">{secondFactor ? 'Second factor' : 'No second factor'}</span>
    </span>
  </>
)

/** The daily actions that the reader may do. Others stand beside what makes them necessary. */
export function UserActions({ user }: UserProps) {
  // Most users are not new: nothing moves when that is known.
  const codes = useObstacles(user)?.map(({ code }) => code)
  const isNew = codes?.some((code) => code === 'invited' || code === 'no-password')
  const sendsMail = options.value?.passwordReset && user.status === 'active'
  return (
    <>
      {may('users:update') && <EditUser user={user} />}
      {sendsMail && !isNew && <SendLink user={user} kind="recovery" label="Send reset link" />}
      {may('sessions:revoke') && <SignOutEverywhere user={user} />}
      {user.status === 'active' && <Status user={user} />}
    </>
  )
}

/** Changes name, address and profile. */
function EditUser({ user }: UserProps) {
  const { id, email, name, profile } = user
  const update = async (fields: Record<string, string>) => {
    const changed = profileInputs
      .filter(([field]) => fields[`profile/${field}`] !== (profile[field] ?? ''))
      .map(([field]) => [field, fields[`profile/${field}`] || null])
    const body: Schemas['UserPatch'] = {
      ...(fields.email !== email && { email: fields.email }),
      ...(fields.name !== name && { name: fields.name }),
      ...(changed.length > 0 && { profile: Object.fromEntries(changed) })
    }
    if (Object.keys(body).length === 0) return
    const params = { path: { id } }
    await change(
      portal.PATCH('/api/admin/users/{id}', { params, body }),
      `The changes of ${shortName({ name: fields.name ?? name })} are saved.`
    )
  }
  return (
    <ConfirmButton
      label="Edit"
      action="Save"
      onSubmit={update}
      words={[['user update', email], '--name NAME']}
    >
      <EmailField autocomplete="off" defaultValue={email} />
      <Field label="Name" name="name" required maxLength={80} defaultValue={name} />
      {profileInputs.map(([field, input]) => {
        const shown = { name: `profile/${field}`, defaultValue: profile[field] ?? '' }
        const { label, maxLength } = input
        return field === 'bio' ? (
          <Area key={field} {...shown} {...{ label, maxLength }} rows={3} />
        ) : (
          <Field key={field} {...shown} {...input} autocomplete="off" />
        )
      })}
    </ConfirmButton>
  )
}

/** Shows what is known about a user, and deletes it. */
export function Profile({ user }: UserProps) {
  const { id, email, profile, theme, roles, lastLoginAt, createdAt } = user
  const live = useLiveSessions(user)
  useRoles() // for their names
  return (
    <>
      <section>
        <Facts
          of={{
            'Last sign-in': lastLoginAt === null ? 'never' : <Ago at={lastLoginAt} />,
            // The row is there before its number, so that nothing below it moves.
            'Live sessions': may('sessions:read') && (
              <Link href={`/users/${id}/sessions`}>
                {live === most ? `${most} or more` : (live ?? '…')}
              </Link>
            ),
            Roles: (
              <Link href={`/users/${id}/access`}>{roles.map(nameOfRole).join(', ') || 'none'}</Link>
            ),
            Created: <Ago at={createdAt} />,
            'Theme of the app': themeNames[theme],
            ...Object.fromEntries(
              profileInputs.map(([field, { label }]) => [label, textOf(profile[field])])
            ),
            Id: <ShortId id={id} />
          }}
        />
      </section>
      {may('activity:read') && <Recent id={id} />}
      {exported.every(may) && <Export user={user} />}
      <CommandLine words={[['user show', email]]} />
      {may('users:delete') && <DeleteUser user={user} />}
    </>
  )
}

/** The last records about a user. */
function Recent({ id: targetId }: { id: string }) {
  const filters = { targetId }
  return (
    <section>
      <h2>Last activity</h2>
      <Loaded from={useGet('/api/admin/activity', { query: { ...filters, limit: 50 } })}>
        {({ items }) => (
          <Records
            label="Last activity"
            empty="No records yet."
            items={mergeRepeated(items).slice(0, 3)}
            filters={filters}
          />
        )}
      </Loaded>
    </section>
  )
}

/** An export takes these permissions, beside the one of this page. */
const exported = ['sessions:read', 'keys:read', 'activity:read', 'outbox:read']

const Export = ({ user: { id, email } }: UserProps) => (
  <ul class="rows">
    <Row
      title="Everything that is kept about this user"
      below="The file has no secrets. The export is recorded."
    >
      <ActionButton
        label="Export"
        words={['user export', email]}
        onPress={async () => {
          const params = { path: { id } }
          const data = await ok(portal.POST('/api/admin/users/{id}/export', { params }))
          saveJson(`${id}.json`, data)
          report(`The data of ${email} are in the file ${id}.json.`)
        }}
      />
    </Row>
  </ul>
)

/** Addresses of the web lead there. Those that are long open first. */
function textOf(value: string | null) {
  if (value === null || value.includes(' ') || !/^https:|.{81}/.test(value)) return value
  const shown = value.startsWith('https:') ? (
    <a href={value} rel="noreferrer">
      {value}
    </a>
  ) : (
    value
  )
  if (value.length <= 80) return shown
  return (
    <details>
      <summary>{shortened(value, 80)}</summary>
      {shown}
    </details>
  )
}

function DeleteUser({ user }: UserProps) {
  const { id, email } = user
  const name = shortName(user)
  return (
    <DeleteZone
      noun="user"
      name={name}
      loss="With their sessions and roles. This cannot be undone. Their activity records stay."
      words={[['user delete', email]]}
      call={() => portal.DELETE('/api/admin/users/{id}', { params: { path: { id } } })}
    >
      <p>
        Deletes {me.value?.id === id ? 'your own account' : `the account of ${name}`}, its sessions
        and its roles. This cannot be undone.
      </p>
      <Field
        label={`Type ${email} to confirm`}
        name="address"
        spellcheck={false}
        required
        onInput={({ currentTarget: input }) =>
          input.setCustomValidity(input.value === email ? '' : `Type ${email}`)
        }
      />
    </DeleteZone>
  )
}
