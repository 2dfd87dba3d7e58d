import { Field } from './controls.tsx'
import { say } from './say.ts'

interface EmailProps {
  label?: string
  /** `username` where it tells the password manager whose password it is. */
  autocomplete: 'email' | 'off' | 'username' | 'username webauthn'
  defaultValue?: string
}

/** An e-mail address, as the field `email`. */
export const EmailField = ({ label = say('email'), ...input }: EmailProps) => (
  <Field label={label} name="email" type="email" required maxLength={254} {...input} />
)

/** The password that the user has, not a new one. */
export const CurrentPassword = ({
  label = say('password'),
  name = 'password',
  autofocus = false
}) => (
  <Field
    label={label}
    name={name}
    type="password"
    autocomplete="current-password"
    required
    maxLength={128}
    autofocus={autofocus}
  />
)

/** A code of an authenticator app, as the field `code`. */
export const CodeField = ({ label = say('code'), autofocus = false }) => (
  <Field
    label={label}
    name="code"
    inputMode="numeric"
    autocomplete="one-time-code"
    pattern="[0-9]{3} ?[0-9]{3}"
    maxLength={7}
    required
    autofocus={autofocus}
  />
)

/** For the password manager, which otherwise does not know whose password it is. */
export const Username = ({ email }: { email: string }) => (
  <input type="text" autocomplete="username" defaultValue={email} readOnly hidden />
)
