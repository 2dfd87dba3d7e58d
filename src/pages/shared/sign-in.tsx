import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import * as passkeys from '../../client/passkeys.ts'
import { ok, portal, RejectedCall } from './client.ts'
import type { Schemas } from './client.ts'
import { CodeField, CurrentPassword, EmailField, Field } from './controls.tsx'
import { Action, Form } from './form.tsx'
import { ProblemNotice } from './problem.tsx'
import {
  findProvider,
  leaveFor,
  ProviderButtons,
  takePendingDeletion,
  takeProblem,
  takeSecondStep
} from './providers.tsx'
import type { ShownProvider } from './providers.tsx'
import { say } from './say.ts'
import { options } from './session.ts'
import { formatTime } from './time-format.ts'

type SignedIn = Schemas['SignedIn']
/** A sign-in that waits for its second step, and whose, if it began here. */
export type Due = Schemas['SecondFactorDue'] & { email?: string }

interface SignInProps {
  onSignedIn(signedIn: SignedIn): void
}

interface SignInFormProps extends SignInProps {
  /** A sign-in that waits for its second step. */
  begun?: Due
  /** Whose sign-in it is, if that is known. */
  email?: string | undefined
  /** The page to which a provider leads back, by default this one. */
  returnTo?: string
  /** The page for users who have forgotten their password, if there is one. */
  forgot?: string | undefined
  /** Given by a page with a title for each step: the form has no heading then. */
  onDue?(due: Due | undefined): void
}

/** Signs in with a password and a second factor if one is needed, with a passkey or a provider. */
export function SignInForm(props: SignInFormProps) {
  const { begun, email = '', returnTo, forgot, onSignedIn, onDue } = props
  const [due, setDue] = useState(begun)
  useLayoutEffect(() => onDue?.(due), [due])
  const [pending, setPending] = useState(() => {
    const led = takePendingDeletion()
    if (!led) return undefined
    const { provider, deleteAt } = led
    const way = { intent: 'sign-in', returnTo, restore: true } as const
    return { deleteAt, restore: () => leaveFor(provider, way) } as Pending
  })
  // The problem of an attempt that is over, such as a second step that took too long.
  const [failure, setFailure] = useState<unknown>(takeProblem)
  const [found, setFound] = useState<{ email: string; provider: ShownProvider | null }>()
  useEffect(() => {
    if (takeSecondStep()) ok(portal.GET('/api/auth/login/pending')).then(setDue, setFailure)
  }, [])
  /** Offers to repeat a sign-in with `restore`, if only that is missing. */
  const orRestore = (error: unknown, restore: Pending['restore']) => {
    const { code, deleteAt } = error instanceof RejectedCall ? error.problem : {}
    if (code !== 'deletion-pending' || deleteAt === undefined) throw error
    setPending({ deleteAt, restore })
  }
  const restoreByPasskey = async () => onSignedIn(await passkeys.signIn(portal, { restore: true }))
  const signInByPasskey = () =>
    passkeys
      .signIn(portal)
      .then(onSignedIn)
      .catch((error: unknown) => orRestore(error, restoreByPasskey))
  useEffect(() => {
    if (due || pending || !options.value?.passkeys) return
    const stop = new AbortController()
    passkeys
      .offer(portal, stop.signal)
      .then((signedIn) => signedIn && !stop.signal.aborted && onSignedIn(signedIn))
      .catch((error: unknown) => orRestore(error, restoreByPasskey))
      .catch(setFailure)
    return () => stop.abort()
  }, [due, pending, options.value?.passkeys])
  if (due) {
    const startAgain = (error?: unknown) => {
      setDue(undefined)
      setFailure(error)
    }
    return <SecondFactor {...{ due, onSignedIn }} hasTitle={!!onDue} onBack={startAgain} />
  }
  if (pending) return <PendingDeletion {...pending} onBack={() => setPending(undefined)} />
  const { providers = [], providersByDomain = false } = options.value ?? {}
  const asksAddress = providersByDomain && !found
  /** Leaves the page if the domain of the address has a provider that is the only way. */
  const find = async (email: string) => {
    const { provider, required } = await findProvider(email)
    if (provider && required) await leaveFor(provider.key, { intent: 'sign-in', returnTo, email })
    setFound({ email, provider })
  }
  const send = async (body: Schemas['Credentials']) => {
    const response = await ok(portal.POST('/api/auth/login', { body }))
    if ('next' in response) setDue({ ...response, email: body.email })
    else onSignedIn(response)
    setPending(undefined)
  }
  const signIn = async (email: string, password: string) => {
    try {
      await send({ email, password })
    } catch (error) {
      const isElsewhere =
        error instanceof RejectedCall && error.problem.code === 'provider-required'
      if (isElsewhere) await find(email)
      else orRestore(error, () => send({ email, password, restore: true }))
    }
  }
  const own = found?.provider
  const offered =
    own && !providers.some(({ key }) => key === own.key) ? [...providers, own] : providers
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
          passkeys.isSupported && (
            <Action label={say('sign-in-passkey')} kind="outline" onPress={signInByPasskey} />
          )
        }
      >
        <EmailField
          autocomplete="username webauthn"
          defaultValue={email}
          autofocus={email === '' || asksAddress}
        />
        {!asksAddress && (
          <CurrentPassword
            autofocus={providersByDomain || email !== ''}
            aside={forgot && <a href={forgot}>{say('to-forgot')}</a>}
          />
        )}
      </Form>
    </>
  )
}

interface SecondFactorProps extends SignInProps {
  due: Due
  /** Whether the page has a title for it. */
  hasTitle: boolean
  onBack(error?: unknown): void
}

/** The second step: a code, a recovery code or a passkey, whatever the user has. */
function SecondFactor({ due: { methods }, hasTitle, onSignedIn, onBack }: SecondFactorProps) {
  const hasApp = methods.includes('totp')
  const hasRecoveryCodes = methods.includes('recovery-code')
  const hasForm = hasApp || hasRecoveryCodes
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
  const isCode = field === 'code'
  const text = hasForm ? 'recovery-code-text' : 'passkey-text'
  const others = (
    <>
      {methods.includes('passkey') && passkeys.isSupported && (
        <Action
          label={say('prove-passkey')}
          {...(hasForm && ({ kind: 'plain' } as const))}
          onPress={async () => onSignedIn(await passkeys.signIn(portal))}
        />
      )}
      {hasApp && hasRecoveryCodes && (
        <Action
          label={say(isCode ? 'use-recovery-code' : 'use-code')}
          kind="plain"
          onPress={() => setField(isCode ? 'recoveryCode' : 'code')}
        />
      )}
      <Action label={say('back')} kind="plain" onPress={() => onBack()} />
    </>
  )
  return (
    <section>
      {!hasTitle && <h2>{say('enter-factor')}</h2>}
      {!(isCode && hasRecoveryCodes) && (
        <p class="muted">
          {!isCode && say(methods.length === 0 ? 'factor-unusable' : text)}{' '}
          {methods.length > 0 && say('factor-lost')}
        </p>
      )}
      {hasForm ? (
        <Form key={field} action={say('continue')} onSubmit={verify} more={others}>
          {isCode ? (
            <CodeField autofocus />
          ) : (
            <Field label={say('recovery-code')} name={field} maxLength={64} required autofocus />
          )}
        </Form>
      ) : (
        <div class="actions">{others}</div>
      )}
    </section>
  )
}

interface Pending {
  deleteAt: string
  /** Repeats the sign-in, and restores the account with it. */
  restore(): Promise<unknown>
}

const PendingDeletion = ({ deleteAt, restore, onBack }: Pending & { onBack(): void }) => (
  <section>
    <h2>{say('deletion-pending')}</h2>
    <p role="status">{say('deletion-pending-text', { time: formatTime(deleteAt) })}</p>
    <div class="actions">
      <Action label={say('restore-sign-in')} onPress={restore} />
      <Action label={say('back')} kind="outline" onPress={onBack} />
    </div>
  </section>
)
