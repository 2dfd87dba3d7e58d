import { hasSessionEnded, ok, portal, proofAsked } from './client.ts'
import type { Schemas } from './client.ts'
import { Dialog } from './dialog.tsx'
import { CodeField, CurrentPassword } from './fields.tsx'
import { Action, Form } from './form.tsx'
import { getPasskey, hasPasskeys } from './passkeys.ts'
import { say } from './say.ts'
import { setUser } from './session.ts'
import { SignInForm } from './sign-in.tsx'

/** The dialogs that any call of the portal can open. The page below keeps what was typed. */
export function Dialogs() {
  if (hasSessionEnded.value) return <SessionEnded />
  return proofAsked.value && <Proof {...proofAsked.value} />
}

const SessionEnded = () => (
  <Dialog title={say('session-ended')}>
    <p>{say('session-ended-text')}</p>
    <SignInForm onSignedIn={({ user }) => setUser(user)} />
  </Dialog>
)

/** Asks the user to authenticate again. */
function Proof({ methods, answer }: NonNullable<typeof proofAsked.value>) {
  const prove = async (body: Schemas['Reauthentication']) => {
    await ok(portal.POST('/api/auth/reauthenticate', { body }))
    answer(true)
  }
  const cancel = (
    <button type="button" class="secondary outline" onClick={() => answer(false)}>
      {say('cancel')}
    </button>
  )
  const hasPasskey = methods.includes('passkey') && hasPasskeys
  const passkey = hasPasskey && (
    <Action
      label={say('prove-passkey')}
      kind="outline"
      onPress={async () => {
        const options = await ok(portal.POST('/api/auth/reauthenticate/options'))
        await prove({ credential: await getPasskey(options) })
      }}
    />
  )
  const field = methods.includes('totp') ? 'code' : methods.includes('password') && 'password'
  return (
    <Dialog title={say('prove')} onClose={() => answer(false)}>
      <p>{say('prove-text')}</p>
      {field ? (
        <Form
          action={say('continue')}
          onSubmit={(fields) => prove(fields as Schemas['Reauthentication'])}
          more={
            <>
              {passkey}
              {cancel}
            </>
          }
        >
          {field === 'code' ? <CodeField autofocus /> : <CurrentPassword autofocus />}
        </Form>
      ) : (
        <div class="actions">
          {hasPasskey ? passkey : <p>{say('prove-nothing')}</p>}
          {cancel}
        </div>
      )}
    </Dialog>
  )
}
