import type { ComponentChildren } from 'preact'
import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, renew, useGet } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import type { Words } from '../command-line.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'

interface UserProps {
  user: Schemas['User']
}

/** Each second factor of a user, with its age and its last use. */
export function Factors({ user }: UserProps) {
  const { id } = user
  const loaded = useGet('/api/admin/users/{id}/factors', { path: { id } })
  const name = shortName(user)
  const params = { path: { id } }
  return (
    <Loaded from={loaded}>
      {({ totp, passkeys, recoveryCodes, requiredByRoles }) => {
        const total = (totp ? 1 : 0) + passkeys.length
        const removal = (what: string, factor: string, remove: () => Promise<unknown>) =>
          may('users:update') && (
            <Remove
              {...{ name, what, isLast: total === 1 }}
              words={[['user remove-factor', user.email], factor]}
              onRemove={remove}
            />
          )
        return (
          <>
            {requiredByRoles.length > 0 && (
              <p>
                Required by the role{requiredByRoles.length > 1 && 's'}{' '}
                <code>{requiredByRoles.join(', ')}</code>.
              </p>
            )}
            {total === 0 ? (
              <p class="muted">
                {name} has none, and signs in with the password alone. Users set up an authenticator
                app or a passkey themselves, on their account pages.
              </p>
            ) : (
              <ul class="rows" aria-label="Second factors">
                {totp && (
                  <Factor title="Authenticator app" used={totp}>
                    {removal('the authenticator app', 'totp', () =>
                      ok(portal.DELETE('/api/admin/users/{id}/factors/totp', { params }))
                    )}
                  </Factor>
                )}
                {passkeys.map((passkey) => (
                  <Factor
                    key={passkey.id}
                    title={`Passkey: ${passkey.name}`}
                    used={passkey}
                    note={passkey.backedUp && <span class="chip">Backed up</span>}
                  >
                    {removal(`the passkey ${shortName(passkey)}`, passkey.id, () =>
                      ok(
                        portal.DELETE('/api/admin/users/{id}/factors/passkeys/{passkeyId}', {
                          params: { path: { id, passkeyId: passkey.id } }
                        })
                      )
                    )}
                  </Factor>
                ))}
                {recoveryCodes && (
                  <Factor title="Recovery codes" used={recoveryCodes}>
                    <span class={recoveryCodes.left > 2 ? 'chip' : 'chip warn'}>
                      {recoveryCodes.left} left
                    </span>
                  </Factor>
                )}
              </ul>
            )}
            {total > 1 && may('users:update') && <RemoveAll user={user} />}
          </>
        )
      }}
    </Loaded>
  )
}

interface FactorProps {
  title: string
  note?: ComponentChildren
  used: { createdAt: string; lastUsedAt: string | null }
  children: ComponentChildren
}

const Factor = ({ title, note, used: { createdAt, lastUsedAt }, children }: FactorProps) => (
  <li>
    <div>
      <strong>{title}</strong> {note}
      <br />
      <small class="muted">
        Set up <Ago at={createdAt} />,{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Ago at={lastUsedAt} />
          </>
        )}
      </small>
    </div>
    {children}
  </li>
)

interface RemoveProps {
  name: string
  what: string
  words: Words
  isLast: boolean
  onRemove(): Promise<unknown>
}

const Remove = ({ name, what, words, isLast, onRemove }: RemoveProps) => (
  <ConfirmButton
    label="Remove"
    about={what}
    isDangerous
    isQuiet
    words={words}
    onSubmit={async () => {
      await onRemove()
      await renew()
      report(`${name} no longer has ${what}, and is signed out everywhere.`)
    }}
  >
    <p>
      Make sure that the request really comes from {name}. All sessions end, and a mail says so.
      {isLast && ' It is the last one: its recovery codes go with it.'}
    </p>
  </ConfirmButton>
)

/** For a user who has lost all of them. */
function RemoveAll({ user }: UserProps) {
  const name = shortName(user)
  const params = { path: { id: user.id } }
  return (
    <div class="actions">
      <ConfirmButton
        label="Remove all second factors"
        action={`Remove all of ${name}`}
        isDangerous
        words={[['user reset-second-factor', user.email]]}
        onSubmit={async () => {
          await ok(portal.DELETE('/api/admin/users/{id}/second-factors', { params }))
          await renew()
          report(`${name} has no second factor any more, and is signed out everywhere.`)
        }}
      >
        <p>
          Removes the authenticator app, all passkeys and all recovery codes of {name}, and ends all
          sessions. Make sure that the request really comes from this user.
        </p>
      </ConfirmButton>
    </div>
  )
}
