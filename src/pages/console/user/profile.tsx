import { useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import { Field } from '../../shared/controls.tsx'
import { profileInputs } from '../../shared/profile-fields.ts'
import { user as me } from '../../shared/session.ts'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton, DangerZone } from '../action-buttons.tsx'
import { CommandLine } from '../command-line.tsx'
import { shortened } from '../flags/sentences.ts'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { ShortId } from '../user-link.tsx'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { Facts } from '../parts.tsx'

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
  const [, navigate] = useLocation()
  const { id, email } = user
  const name = shortName(user)
  return (
    <DangerZone
      title="Delete this user"
      loss="With their sessions and roles. This cannot be undone. Their activity records stay."
    >
      <ConfirmButton
        label="Delete"
        action={`Delete ${name}`}
        words={[['user delete', email]]}
        isDangerous
        onSubmit={async () => {
          await ok(portal.DELETE('/api/admin/users/{id}', { params: { path: { id } } }))
          report(`${name} was deleted.`)
          navigate('/users')
        }}
      >
        <p>
          Deletes {me.value?.id === id ? 'your own account' : `the account of ${name}`}, its
          sessions and its roles. This cannot be undone.
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
      </ConfirmButton>
    </DangerZone>
  )
}
