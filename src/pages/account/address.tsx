import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { EmailField } from '../shared/fields.tsx'
import { Action } from '../shared/form.tsx'
import { options } from '../shared/session-calls.ts'
import { SavingForm } from './saving.tsx'
import { say } from './say.ts'

interface AddressProps {
  email: Schemas['Email']
  onChange(): Promise<unknown>
}

/** The address of the user. A new one is used once it is confirmed, if the portal sends mail. */
export function Address({ email: { email, verified, pending }, onChange }: AddressProps) {
  const [isSent, setSent] = useState(false)
  const change = async ({ email = '' }) => {
    await ok(portal.PUT('/api/user/email', { body: { email } }))
    await onChange()
  }
  return (
    <section>
      <h2>{say('address')}</h2>
      <p>{say(verified ? 'address-verified' : 'address-unverified', { email })}</p>
      {pending !== null && <p>{say('address-pending', { email: pending })}</p>}
      {!verified && options.value?.passwordReset && (
        <div class="actions">
          <Action
            label={say('send-verification')}
            kind="outline"
            onPress={async () => {
              await ok(portal.POST('/api/user/email/verification'))
              setSent(true)
            }}
          />
        </div>
      )}
      <p role="status">{isSent && say('link-sent', { email })}</p>
      <SavingForm action={say('change-address')} onSubmit={change}>
        <EmailField label={say('new-address')} autocomplete="email" />
      </SavingForm>
    </section>
  )
}
