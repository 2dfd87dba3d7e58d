import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { CodeField } from '../shared/controls.tsx'
import { Dialog } from '../shared/dialog.tsx'
import { Action, Form } from '../shared/form.tsx'
import { Setting, When } from './items.tsx'
import { ConfirmedAction, Copy } from './parts.tsx'
import { newCodes } from './recovery-codes.tsx'
import { say } from './say.ts'
import type { SecurityProps } from './second-factor.tsx'

const begin = () => ok(portal.POST('/api/user/totp'))

export function Authenticator({ security: { totp }, onChange }: SecurityProps) {
  const [begun, setBegun] = useState<Schemas['TotpEnrolment']>()
  return (
    <Setting
      title={say('app')}
      chip={totp && <span class="chip good">{say('active')}</span>}
      state={totp ? <When text="app-since" at={totp.since} /> : say('app-none')}
      button={say(totp ? 'manage' : 'set-up')}
      // Without an app, its secret is all that the dialog is for.
      onPress={async () => setBegun(totp ? undefined : await begin())}
      dialog={(close) => (
        <Dialog title={say(totp ? 'app' : 'app-set-up')} onClose={() => close()}>
          {totp && <p>{say('app-replace-text')}</p>}
          <SetUpApp
            label={say(totp ? 'app-replace' : 'app-set-up')}
            first={begun}
            onDone={onChange}
            onCancel={() => close()}
          >
            {totp && (
              <ConfirmedAction
                label={say('app-remove')}
                title={say('app-remove')}
                text={say('app-remove-text')}
                onConfirm={async () => {
                  await ok(portal.DELETE('/api/user/totp'))
                  await onChange()
                  close(say('app-remove-done'))
                }}
              />
            )}
            <Action label={say('cancel')} kind="outline" onPress={() => close()} />
          </SetUpApp>
        </Dialog>
      )}
    />
  )
}

interface SetUpAppProps {
  /** The text of the button that begins. */
  label: string
  /** The secret, if it has begun. */
  first?: Schemas['TotpEnrolment'] | undefined
  token?: string
  onDone(): Promise<unknown>
  onCancel?(): void
  /** Beside the button that begins. */
  children?: ComponentChildren
}

/** Shows the secret for an app, and asks for its first code. Then the recovery codes are shown. */
export function SetUpApp({ label, first, token, onDone, onCancel, children }: SetUpAppProps) {
  const [begun, setBegun] = useState(first)
  if (!begun) {
    return (
      <div class="actions">
        <Action label={label} kind="outline" onPress={async () => setBegun(await begin())} />
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
  const cancel = onCancel ?? (() => setBegun(undefined))
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
      <Key secret={begun.secret} />
      <Form
        action={say('app-confirm')}
        onSubmit={confirm}
        more={<Action label={say('cancel')} kind="outline" onPress={cancel} />}
      >
        <CodeField label={say('first-code')} autofocus />
      </Form>
    </>
  )
}

/** The secret for an app that cannot scan, in groups of four. */
const Key = ({ secret }: { secret: string }) => (
  <>
    <p>{say('app-secret')}</p>
    <div class="actions">
      <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      <Copy text={secret} />
    </div>
  </>
)
