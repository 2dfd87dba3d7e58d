import { useState } from 'preact/hooks'
import * as passkeys from '../../client/passkeys.ts'
import { ok, portal, proofAsked, RejectedCall } from './client.ts'
import type { Schemas } from './client.ts'
import { CodeField, CurrentPassword } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { Action, Form } from './form.tsx'
import { leaveFor } from './providers.tsx'
import { say } from './say.ts'
import { hasSessionEnded, setUser, user } from './session.ts'
import { SignInForm } from './sign-in.tsx'

/** The dialogs that any call of the portal can open. The page below keeps what was typed. */
export function Dialogs() {
  if (hasSessionEnded.value) return <SessionEnded />
  return proofAsked.value && <Proof {...proofAsked.value} />
}

const SessionEnded = () => (
  <Dialog title={say('session-ended')} hidesPage>
    <p>{say('session-ended-text')}</p>
    <SignInForm email={user.value?.email} onSignedIn={(signedIn) => setUser(signedIn.user)} />
  </Dialog>
)

function Proof({ methods, providers, answer }: NonNullable<typeof proofAsked.value>) {
  const [wantsPassword, setWantsPassword] = useState(false)
  const prove = async (body: Schemas['Reauthentication']) => {
    try {
      await ok(portal.POST('/api/auth/reauthenticate', { body }))
    } catch (error) {
      // The methods have changed: the password may no longer be accepted.
      const { code, methods: left } = error instanceof RejectedCall ? error.problem : {}
      if (code === 'reauthentication-required' && left) {
        proofAsked.value = { methods: left, providers, answer }
      }
      throw error
    }
    answer(true)
  }
  const hasPasskey = methods.includes('passkey') && passkeys.isSupported
  const offered = (['totp', 'password'] as const).filter((each) => methods.includes(each))
  const field = wantsPassword ? offered.at(-1) : offered[0]
  const others = (
    <>
      {hasPasskey && (
        <Action
          label={say('prove-passkey')}
          kind="outline"
          onPress={async () => {
            const options = await ok(portal.POST('/api/auth/reauthenticate/options'))
            await prove({ credential: await passkeys.get(options) })
          }}
        />
      )}
      {providers.map(({ key, name }) => (
        <Action
          key={key}
          label={say('prove-with', { name })}
          kind="outline"
          onPress={() => leaveFor(key, { intent: 'reauthenticate' })}
        />
      ))}
      {offered.length > 1 && (
        <Action
          label={say(wantsPassword ? 'use-code' : 'use-password')}
          kind="outline"
          onPress={() => setWantsPassword(!wantsPassword)}
        />
      )}
      {!field && !hasPasskey && providers.length === 0 && <p>{say('prove-nothing')}</p>}
      <Action label={say('cancel')} kind="outline" onPress={() => answer(false)} />
    </>
  )
  return (
    <Dialog title={say('prove')} onClose={() => answer(false)}>
      <p>{say('prove-text')}</p>
      {providers.length > 0 && <p>{say('prove-elsewhere')}</p>}
      {field ? (
        <Form
          key={field}
          action={say('continue')}
          onSubmit={(fields) => prove(fields as Schemas['Reauthentication'])}
          more={others}
        >
          {field === 'totp' ? <CodeField autofocus /> : <CurrentPassword autofocus />}
        </Form>
      ) : (
        <div class="actions">{others}</div>
      )}
    </Dialog>
  )
}
