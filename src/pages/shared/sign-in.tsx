import { useEffect, useState } from 'preact/hooks'
import * as passkeys from '../../client/passkeys.ts'
import { ok, portal, RejectedCall } from './client.ts'
import type { Schemas } from './client.ts'
import { CodeField, CurrentPassword, EmailField } from './fields.tsx'
import { Field } from './controls.tsx'
import { Action, Form } from './form.tsx'
import { takeProblem, takeSecondStep } from './led-back.ts'
import { ProblemNotice } from './problem.tsx'
import { findProvider, leaveFor, ProviderButtons } from './providers.tsx'
import type { ShownProvider } from './providers.tsx'
import { say } from './say.ts'
import { options } from './session-calls.ts'

type SignedIn = Schemas['SignedIn']
export type Due = Schemas['SecondFactorDue']

interface SignInProps {
  onSignedIn(signedIn: SignedIn): void
}

interface SignInFormProps extends SignInProps {
  /** A sign-in that waits for its second step. */
  begun?: Due
  /** Where a provider leads back to, by default this page. */
  returnTo?: string
}

/** Signs in with a password and a second factor if one is needed, with a passkey or a provider. */
export function SignInForm({ begun, returnTo, onSignedIn }: SignInFormProps) {
  const [due, setDue] = useState(begun)
  // Of an attempt that is over, such as a second step that took too long.
  const [failure, setFailure] = useState<unknown>(takeProblem)
  const [found, setFound] = useState<{ email: string; provider: ShownProvider | null }>()
  useEffect(() => {
    if (takeSecondStep()) ok(portal.GET('/api/auth/login/pending')).then(setDue, setFailure)
  }, [])
  useEffect(() => {
    if (due || !options.value?.passkeys) return
    const stop = new AbortController()
    passkeys
      .offer(portal, stop.signal)
      .then((signedIn) => signedIn && !stop.signal.aborted && onSignedIn(signedIn), setFailure)
    return () => stop.abort()
  }, [due, options.value?.passkeys])
  if (due) {
    const startAgain = (error?: unknown) => {
      setDue(undefined)
      setFailure(error)
    }
    return <SecondFactor due={due} onSignedIn={onSignedIn} onBack={startAgain} />
  }
  const { providers = [], providersByDomain = false } = options.value ?? {}
  const asksAddress = providersByDomain && !found
  /** Leaves the page if the domain of the address has a provider that is the only way. */
  const find = async (email: string) => {
    const { provider, required } = await findProvider(email)
    if (provider && required) await leaveFor(provider.key, { intent: 'sign-in', returnTo, email })
    setFound({ email, provider })
  }
  const signIn = async (email: string, password: string) => {
    try {
      const response = await ok(portal.POST('/api/auth/login', { body: { email, password } }))
      if ('next' in response) setDue(response)
      else onSignedIn(response)
    } catch (error) {
      const isElsewhere =
        error instanceof RejectedCall && error.problem.code === 'provider-required'
      if (!isElsewhere) throw error
      await find(email)
    }
  }
  const offered = [
    ...providers,
    ...(found?.provider && !providers.some(({ key }) => key === found.provider?.key)
      ? [found.provider]
      : [])
  ]
  return (
    <>
      {failure !== undefined && <ProblemNotice error={failure} />}
      <ProviderButtons providers={offered} returnTo={returnTo} email={found?.email} />
      <Form
        action={say(asksAddress ? 'continue' : 'sign-in')}
        onSubmit={({ email = '', password = '' }) => {
          setFailure(undefined)
          const isAsked = !providersByDomain || email === found?.email
          return isAsked ? signIn(email, password) : find(email)
        }}
        more={
          options.value?.passkeys &&
          passkeys.isSupported && <PasskeyButton onSignedIn={onSignedIn} />
        }
      >
        <EmailField autocomplete="username webauthn" />
        {!asksAddress && <CurrentPassword autofocus={providersByDomain} />}
      </Form>
    </>
  )
}

const PasskeyButton = ({ onSignedIn }: SignInProps) => (
  <Action
    label={say('sign-in-passkey')}
    kind="outline"
    onPress={async () => onSignedIn(await passkeys.signIn(portal))}
  />
)

interface SecondFactorProps extends SignInProps {
  due: Due
  onBack(error?: unknown): void
}

/** The second step: a code, a recovery code or a passkey, whatever the user has. */
function SecondFactor({ due: { methods }, onSignedIn, onBack }: SecondFactorProps) {
  const hasApp = methods.includes('totp')
  const hasRecoveryCodes = methods.includes('recovery-code')
  const [field, setField] = useState(hasApp ? 'code' : 'recoveryCode')
  const verify = async (fields: Record<string, string>) => {
    try {
      const body = { [field]: fields[field]?.trim() } as Schemas['LoginVerification']
      onSignedIn(await ok(portal.POST('/api/auth/login/verify', { body })))
    } catch (error) {
      if (error instanceof RejectedCall && error.problem.code === 'login-expired') onBack(error)
      else throw error
    }
  }
  return (
    <section>
      <h2>{say('second-factor')}</h2>
      {methods.length === 0 && <p>{say('factor-unusable')}</p>}
      {(hasApp || hasRecoveryCodes) && (
        <Form key={field} action={say('continue')} onSubmit={verify}>
          {field === 'code' ? (
            <CodeField autofocus />
          ) : (
            <Field
              label={say('recovery-code')}
              name="recoveryCode"
              autocomplete="off"
              maxLength={64}
              required
              autofocus
            />
          )}
        </Form>
      )}
      {methods.includes('passkey') && passkeys.isSupported && (
        <PasskeyButton onSignedIn={onSignedIn} />
      )}
      <p class="actions">
        {hasApp && hasRecoveryCodes && (
          <button
            type="button"
            class="secondary outline"
            onClick={() => setField(field === 'code' ? 'recoveryCode' : 'code')}
          >
            {say(field === 'code' ? 'use-recovery-code' : 'use-code')}
          </button>
        )}
        <button type="button" class="secondary outline" onClick={() => onBack()}>
          {say('back')}
        </button>
      </p>
    </section>
  )
}
