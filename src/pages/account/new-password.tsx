import { Field } from '../shared/controls.tsx'
import { options } from '../shared/session-calls.ts'
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
