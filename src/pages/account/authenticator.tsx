import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { CodeField } from '../shared/controls.tsx'
import { Action, Form } from '../shared/form.tsx'
import { ConfirmedAction, useCopy, useStatus } from './parts.tsx'
import { When } from './items.tsx'
import { newCodes } from './recovery-codes.tsx'
import { say } from './say.ts'
import type { SecurityProps } from './second-factor.tsx'

export function Authenticator({ security: { totp }, onChange }: SecurityProps) {
  const { status, report } = useStatus()
  const remove = async () => {
    await ok(portal.DELETE('/api/user/totp'))
    await onChange()
    report(say('app-remove-done'))
  }
  return (
    <section>
      <SetUpApp
        label={say(totp ? 'app-replace' : 'app-set-up')}
        onDone={onChange}
        before={
          <>
            <h3>{say('app')}</h3>
            <p>{totp ? <When text="app-since" at={totp.since} /> : say('app-none')}</p>
          </>
        }
        during={
          <>
            <h3>{say(totp ? 'app-replace' : 'app-set-up')}</h3>
            {totp && <p>{say('app-replace-text')}</p>}
          </>
        }
      >
        {totp && (
          <ConfirmedAction
            label={say('app-remove')}
            title={say('app-remove')}
            text={say('app-remove-text')}
            onConfirm={remove}
          />
        )}
      </SetUpApp>
      {status}
    </section>
  )
}

interface SetUpAppProps {
  /** The text of the button that begins. */
  label: string
  token?: string
  onDone(): Promise<unknown>
  /** Above the button that begins, and above the secret. */
  before?: ComponentChildren
  during?: ComponentChildren
  children?: ComponentChildren
}

/** Shows the secret for an app, and asks for its first code. Then the recovery codes are shown. */
export function SetUpApp({ label, token, onDone, before, during, children }: SetUpAppProps) {
  const [begun, setBegun] = useState<Schemas['TotpEnrolment']>()
  if (!begun) {
    return (
      <>
        {before}
        <div class="actions">
          <Action
            label={label}
            kind="outline"
            onPress={async () => setBegun(await ok(portal.POST('/api/user/totp')))}
          />
          {children}
        </div>
      </>
    )
  }
  const confirm = async ({ code = '' }) => {
    const body = { code, ...(token !== undefined && { token }) }
    const { recoveryCodes } = await ok(portal.POST('/api/user/totp/confirm', { body }))
    newCodes.value = recoveryCodes
    await onDone()
  }
  return (
    <>
      {during}
      <p>{say('app-scan')}</p>
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(begun.qr)}`}
        alt={say('app-image')}
      />
      <p>
        <a href={begun.uri}>{say('app-open')}</a>
      </p>
      <Key secret={begun.secret} />
      <Form
        action={say('app-confirm')}
        onSubmit={confirm}
        more={<Action label={say('cancel')} kind="outline" onPress={() => setBegun(undefined)} />}
      >
        <CodeField label={say('first-code')} autofocus />
      </Form>
    </>
  )
}

/** The secret for an app that cannot scan, in groups of four. */
function Key({ secret }: { secret: string }) {
  const { button, status } = useCopy(secret)
  return (
    <>
      <p>{say('app-secret')}</p>
      <div class="actions">
        <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        {button}
      </div>
      {status}
    </>
  )
}
