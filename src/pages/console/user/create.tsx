import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Check, EmailField, Field } from '../../shared/controls.tsx'
import { Action } from '../../shared/form.tsx'
import { options } from '../../shared/session.ts'
import { ConfirmButton } from '../action-buttons.tsx'
import { report } from '../shell/status.tsx'
import { sentLink } from './obstacles.tsx'
import { may } from '../may.ts'
import { RoleField } from './roles.tsx'
import { shortName } from './short-name.ts'

/** Invites a user by mail; without mail, creates one with a password. */
export function InviteUser() {
  const [, navigate] = useLocation()
  const sendsMail = options.value?.passwordReset ?? false
  const [invites, setInvites] = useState(sendsMail)
  const created = useRef<Schemas['User']>()
  const create = async ({ email = '', name = '', password, role }: Record<string, string>) => {
    // If only the role fails, pressing again grants it to the user who was created.
    if (created.current?.email !== email) {
      const way = invites ? { link: 'invitation' as const } : password && { password }
      const body = { email, name, ...way }
      created.current = await ok(portal.POST('/api/admin/users', { body }))
    }
    const { id } = created.current
    if (role) {
      const params = { path: { id, key: role } }
      await ok(portal.PUT('/api/admin/users/{id}/roles/{key}', { params }))
    }
    report(
      invites ? sentLink('invitation', email) : `${shortName(created.current)} has an account now.`
    )
    navigate(`/users/${id}`)
  }
  const label = sendsMail ? 'Invite' : 'Create a user'
  return (
    <ConfirmButton
      label={label}
      action={invites ? 'Invite' : 'Create'}
      words={['user create --email ADDRESS --name NAME --send-link']}
      isPrimary
      onSubmit={create}
    >
      {/* For the password manager: the password below is that of this user. */}
      <EmailField autocomplete="username" />
      <Field label="Name" name="name" autocomplete="off" required maxLength={80} />
      {may('users:update') && may('roles:read') && (
        <RoleField none="User" has={({ key, scoped }) => !scoped && key !== 'user'} />
      )}
      {sendsMail && (
        <Check
          label="Send the invitation: a link to choose a password, for 72 hours"
          name="invites"
          checked={invites}
          onValue={setInvites}
        />
      )}
      {invites ? (
        <Action label="Set a password instead" kind="outline" onPress={() => setInvites(false)} />
      ) : (
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="new-password"
          maxLength={128}
          hint="Without one, the user cannot sign in until one is set."
        />
      )}
    </ConfirmButton>
  )
}
