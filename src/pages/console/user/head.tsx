import type { Schemas } from '../../shared/client.ts'
import { ok, portal } from '../../shared/client.ts'
import { Action } from '../../shared/form.tsx'
import { renew } from '../../shared/load.tsx'
import { user as me } from '../../shared/session.ts'
import { Time } from '../../shared/time.tsx'
import { options } from '../../shared/session-calls.ts'
import { Ask } from '../ask.tsx'
import { Change } from '../locked.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { EditUser } from './edit.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'
import { shortName } from './short-name.ts'

interface UserProps {
  user: Schemas['User']
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

/** What is done daily, for those who may. */
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
    await renew()
    if (deleteAt !== null) return report(`${name} can sign in again, and is not deleted.`)
    report(
      next === 'active' ? `${name} can sign in again.` : `${name} cannot sign in any more.`,
      () => set(next === 'active' ? 'deactivated' : 'active')
    )
  }
  if (status !== 'active') {
    return (
      <Change
        label={deleteAt === null ? 'Activate' : 'Restore'}
        kind="outline"
        words={[[deleteAt === null ? 'user reactivate' : 'user restore', email]]}
        onPress={() => set('active')}
      />
    )
  }
  return (
    <Ask
      label="Deactivate"
      action={`Deactivate ${name}`}
      words={[['user deactivate', email]]}
      isDangerous
      isQuiet
      onSubmit={() => set('deactivated')}
    >
      <p>
        {me.value?.id === id
          ? 'This is your own account. All your sessions end, also this one, and you cannot sign ' +
            'in until somebody else activates it again.'
          : `${name} cannot sign in until the account is activated again. All sessions end.`}
      </p>
    </Ask>
  )
}
