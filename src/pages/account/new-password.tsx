import { Field } from '../shared/form.tsx'
import { options } from '../shared/session.ts'
import { say } from './say.ts'

/** For a password that the user chooses. */
export function NewPassword({ name, label }: { name: string; label: string }) {
  const length = options.value?.passwordMinLength ?? 8
  return (
    <Field
      label={label}
      name={name}
      type="password"
      autocomplete="new-password"
      hint={say('password-hint', { length })}
      required
      minLength={length}
      maxLength={128}
    />
  )
}

/** For the password manager, which otherwise does not know whose password it is. */
export const Username = ({ email }: { email: string }) => (
  <input type="text" autocomplete="username" defaultValue={email} readOnly hidden />
)
