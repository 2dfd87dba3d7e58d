import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Area, EmailField, Field } from '../../shared/controls.tsx'
import { Action } from '../../shared/form.tsx'
import { reloadAll, useLoaded } from '../../shared/load.tsx'
import { profileInputs } from '../../../common/profile-fields.ts'
import { options, user as me } from '../../shared/session.ts'
import { Ago, Time } from '../../shared/time.tsx'
import { ActionButton, ConfirmButton, DeleteZone } from '../action-buttons.tsx'
import { counted } from '../grouped.ts'
import { may } from '../may.ts'
import { change, report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { CommandLine } from '../command-line.tsx'
import { shortened } from '../flags/sentences.ts'
import { ShortId } from '../user-link.tsx'
import { Facts } from '../parts.tsx'

const most = 50

/** Ends all sessions of a user. */
function SignOutEverywhere({ user }: UserProps) {
  const { id: userId, email } = user
  const name = shortName(user)
  const query = { userId, state: 'active', limit: most } as const
  const { value: live } = useLoaded(['/api/admin/sessions', 'count', userId], async (signal) =>
    may('sessions:read')
      ? (await ok(portal.GET('/api/admin/sessions', { params: { query }, signal }))).items.length
      : undefined
  )
  const sessions =
    live !== undefined && live > 0 && live < most ? counted(live, 'session') : undefined
  return (
    <ConfirmButton
      label="Sign out everywhere"
      action={`Sign out ${name}`}
      words={['session revoke', ['--user', email]]}
      isDangerous
      isQuiet
      onSubmit={async () => {
        await ok(portal.DELETE('/api/admin/sessions', { params: { query: { userId } } }))
        report(
          `${name} is signed out everywhere.` +
            (sessions === undefined ? '' : ` ${sessions} ${live === 1 ? 'has' : 'have'} ended.`)
        )
        await reloadAll()
      }}
    >
      <p>
        {live === 0
          ? `${name} has no live session.`
          : `Ends ${sessions ?? 'every session'} of ${name}. The next request of each is rejected.`}
        {me.value?.id === userId && ' These are your own sessions: you sign in again afterwards.'}
      </p>
    </ConfirmButton>
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
      {status === 'active' ? (
        <span class="chip good">Active</span>
      ) : deleteAt !== null ? (
        <span class="chip bad">
          Will be deleted <Time at={deleteAt} />
        </span>
      ) : (
        <span class="chip bad">Deactivated</span>
      )}
      {emailVerified ? (
        <span class="chip">Address confirmed</span>
      ) : (
        <span class="chip warn">Address not confirmed</span>
      )}
      <span class="chip">{secondFactor ? 'Second factor' : 'No second factor'}</span>
    </span>
  </>
)

/** The daily actions that the reader may do. */
export const UserActions = ({ user }: UserProps) => (
  <>
    {may('users:update') && <EditUser user={user} />}
    {options.value?.passwordReset && user.status === 'active' && <SendLink user={user} />}
    {may('sessions:revoke') && <SignOutEverywhere user={user} />}
    {may('users:update') && <Status user={user} />}
  </>
)

const SendLink = ({ user: { email } }: UserProps) => (
  <Action
    label="Send reset link"
    kind="outline"
    onPress={async () => {
      await ok(portal.POST('/api/auth/recovery', { body: { email } }))
      report(`A link for a new password is on its way to ${email}.`)
    }}
  />
)

function Status({ user }: UserProps) {
  const { id, email, status, deleteAt } = user
  const name = shortName(user)
  const set = async (next: typeof status) => {
    const params = { path: { id } }
    await ok(portal.PATCH('/api/admin/users/{id}', { params, body: { status: next } }))
    await reloadAll()
    if (deleteAt !== null) return report(`${name} can sign in again, and is not deleted.`)
    report(
      next === 'active' ? `${name} can sign in again.` : `${name} cannot sign in any more.`,
      () => set(next === 'active' ? 'deactivated' : 'active')
    )
  }
  return status === 'active' ? (
    <ActionButton
      label="Deactivate"
      action={`Deactivate ${name}`}
      words={[['user deactivate', email]]}
      question={
        me.value?.id === id
          ? 'This is your own account. All your sessions end, also this one, and you cannot sign ' +
            'in until somebody else activates it again.'
          : `${name} cannot sign in until the account is activated again. All sessions end.`
      }
      onPress={() => set('deactivated')}
    />
  ) : (
    <ActionButton
      label={deleteAt === null ? 'Activate' : 'Restore'}
      words={[[deleteAt === null ? 'user reactivate' : 'user restore', email]]}
      onPress={() => set('active')}
    />
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
      words={[
        ['user update', email],
        ['--name', 'NAME']
      ]}
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

const themes = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** Shows what is known about a user, and deletes it. */
export function Profile({ user }: UserProps) {
  const { id, email, profile, theme, lastLoginAt, createdAt } = user
  return (
    <>
      <section>
        <Facts
          of={{
            'Last sign-in': lastLoginAt === null ? 'never' : <Ago at={lastLoginAt} />,
            Created: <Ago at={createdAt} />,
            'Theme of the app': themes[theme],
            Id: <ShortId id={id} />,
            ...Object.fromEntries(
              profileInputs.map(([field, { label }]) => [label, textOf(profile[field])])
            )
          }}
        />
        <CommandLine words={[['user show', email]]} />
      </section>
      {may('users:delete') && <DeleteUser user={user} />}
    </>
  )
}

/** Addresses may be long: those open. */
const textOf = (value: string | null) =>
  value === null || value.includes(' ') || value.length <= 80 ? (
    value
  ) : (
    <details>
      <summary>{shortened(value, 80)}</summary>
      {value}
    </details>
  )

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
