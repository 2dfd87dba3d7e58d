import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { CodeField } from '../shared/fields.tsx'
import { Action, Form } from '../shared/form.tsx'
import { formatTime } from '../shared/time-format.ts'
import { ConfirmedAction } from './confirmed-action.tsx'
import { newCodes } from './new-codes.ts'
import { say } from './say.ts'
import { useStatus } from './status.tsx'
import type { SecurityProps } from './factors.ts'

/** The authenticator app of the user. */
export function Authenticator({ security: { totp }, onChange }: SecurityProps) {
  const { status, report } = useStatus()
  const remove = async () => {
    await ok(portal.DELETE('/api/user/totp'))
    await onChange()
    report(say('app-remove-done'))
  }
  return (
    <section>
      <h2>{say('app')}</h2>
      <p>{totp ? say('app-since', { time: formatTime(totp.since) }) : say('app-none')}</p>
      <SetUpApp label={say(totp ? 'app-replace' : 'app-set-up')} onDone={onChange}>
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
  /** On the button that begins. */
  label: string
  /** Token of an enrolment link. */
  token?: string
  onDone(): Promise<unknown>
  /** Beside the button that begins. */
  children?: ComponentChildren
}

/** Shows the secret for an app, and asks for its first code. Then the recovery codes are shown. */
export function SetUpApp({ label, token, onDone, children }: SetUpAppProps) {
  const [begun, setBegun] = useState<Schemas['TotpEnrolment']>()
  if (!begun) {
    return (
      <div class="actions">
        <Action
          label={label}
          kind="outline"
          onPress={async () => setBegun(await ok(portal.POST('/api/user/totp')))}
        />
        {children}
      </div>
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
      <p>{say('app-scan')}</p>
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(begun.qr)}`}
        alt={say('app-image')}
      />
      <p>
        <a href={begun.uri}>{say('app-open')}</a>
      </p>
      <p>
        {say('app-secret')} <code>{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Form
        action={say('app-confirm')}
        onSubmit={confirm}
        more={
          <button type="button" class="secondary outline" onClick={() => setBegun(undefined)}>
            {say('cancel')}
          </button>
        }
      >
        <CodeField label={say('first-code')} autofocus />
      </Form>
    </>
  )
}
