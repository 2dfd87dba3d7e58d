import { useRef } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Check, EmailField, Field } from '../../shared/controls.tsx'
import { options } from '../../shared/session.ts'
import { ConfirmButton } from '../action-buttons.tsx'
import { report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'

export function CreateUser() {
  const [, navigate] = useLocation()
  const created = useRef<Schemas['User']>()
  const create = async ({ email = '', name = '', password, link }: Record<string, string>) => {
    // If only the link fails, pressing again sends the link of the user who was created.
    if (created.current?.email !== email) {
      const body = { email, name, ...(password && { password }) }
      created.current = await ok(portal.POST('/api/admin/users', { body }))
    }
    if (link) await ok(portal.POST('/api/auth/recovery', { body: { email } }))
    report(`${shortName(created.current)} has an account now.`)
    navigate(`/users/${created.current.id}`)
  }
  return (
    <ConfirmButton
      label="Create a user"
      action="Create"
      words={['user create --email ADDRESS --name NAME --send-link']}
      isPrimary
      onSubmit={create}
    >
      {/* For the password manager: the password below is that of this user. */}
      <EmailField autocomplete="username" />
      <Field label="Name" name="name" autocomplete="off" required maxLength={80} />
      <Field
        label="Password"
        name="password"
        type="password"
        autocomplete="new-password"
        maxLength={128}
        hint="Without one, the user cannot sign in until one is set."
      />
      {options.value?.passwordReset && (
        <Check label="Send a link with which the user chooses a password" name="link" />
      )}
    </ConfirmButton>
  )
}
