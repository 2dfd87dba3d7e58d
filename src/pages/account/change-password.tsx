import { ok, portal } from '../shared/client.ts'
import { CurrentPassword, Username } from '../shared/fields.tsx'
import { user } from '../shared/session.ts'
import { NewPassword } from './new-password.tsx'
import { SavingForm } from './saving.tsx'
import { say } from './say.ts'

interface ChangePasswordProps {
  hasPassword: boolean
  onChange(): Promise<unknown>
}

export function ChangePassword({ hasPassword, onChange }: ChangePasswordProps) {
  const change = async ({ currentPassword, newPassword = '' }: Record<string, string>) => {
    const body = { ...(currentPassword !== undefined && { currentPassword }), newPassword }
    await ok(portal.PUT('/api/user/password', { body }))
    await onChange()
  }
  return (
    <section>
      <h2>{say('change-password')}</h2>
      <p class="muted">{say(hasPassword ? 'change-password-text' : 'no-password')}</p>
      <SavingForm action={say('set-password')} onSubmit={change} done={say('password-changed')}>
        <Username email={user.value?.email ?? ''} />
        {hasPassword && <CurrentPassword label={say('current-password')} name="currentPassword" />}
        <NewPassword name="newPassword" label={say('new-password')} />
      </SavingForm>
    </section>
  )
}
