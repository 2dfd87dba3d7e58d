import { portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, useGet } from '../../shared/load.tsx'
import { ActionButton, ConfirmButton } from '../action-buttons.tsx'
import type { Call } from '../action-buttons.tsx'
import { may } from '../may.ts'
import { shortName } from './short-name.ts'
import type { UserProps } from './short-name.ts'
import { Row, Use } from '../parts.tsx'

/** Each second factor of a user, with its age and its last use. */
export function Factors({ user }: UserProps) {
  const { id } = user
  const name = shortName(user)
  const params = { path: { id } }
  return (
    <Loaded from={useGet('/api/admin/users/{id}/factors', { path: { id } })}>
      {({ totp, passkeys, recoveryCodes, requiredByRoles }) => {
        const total = (totp ? 1 : 0) + passkeys.length
        const atLast = total === 1 ? ' It is the last one: its recovery codes go with it.' : ''
        const removal = (what: string, factor: string, call: () => Call) =>
          may('users:update') && (
            <ActionButton
              label="Remove"
              about={what}
              words={[['user remove-factor', user.email], factor]}
              call={call}
              done={`${name} no longer has ${what}, and is signed out everywhere.`}
              question={
                `Make sure that the request really comes from ${name}. All sessions end, and a ` +
                `mail says so.${atLast}`
              }
            />
          )
        return (
          <>
            <ul class="rows" aria-label="Second factors">
              {total === 0 && (
                <Row
                  title="None"
                  below={
                    requiredByRoles.length > 0
                      ? `Required by ${requiredByRoles.join(', ')}`
                      : 'The password alone is enough to sign in.'
                  }
                />
              )}
              {totp && (
                <Row title="Authenticator app" below={<Use begun="Set up" of={totp} />}>
                  {removal('the authenticator app', 'totp', () =>
                    portal.DELETE('/api/admin/users/{id}/factors/totp', { params })
                  )}
                </Row>
              )}
              {passkeys.map((passkey) => (
                <Row
                  key={passkey.id}
                  title={`Passkey: ${passkey.name}`}
                  below={<Use begun="Set up" of={passkey} />}
                  note={
                    passkey.backedUp && (
                      <>
                        {' '}
                        <span class="chip">Backed up</span>
                      </>
                    )
                  }
                >
                  {removal(`the passkey ${shortName(passkey)}`, passkey.id, () =>
                    portal.DELETE('/api/admin/users/{id}/factors/passkeys/{passkeyId}', {
                      params: { path: { id, passkeyId: passkey.id } }
                    })
                  )}
                </Row>
              ))}
              {recoveryCodes && (
                <Row title="Recovery codes" below={<Use begun="Set up" of={recoveryCodes} />}>
                  <span class={recoveryCodes.left > 2 ? 'chip' : 'chip warn'}>
                    {recoveryCodes.left} left
                  </span>
                </Row>
              )}
            </ul>
            {total > 1 && may('users:update') && (
              // For a user who has lost all of them.
              <div class="actions">
                <ConfirmButton
                  label="Remove all second factors"
                  action={`Remove all of ${name}`}
                  isDangerous
                  words={[['user reset-second-factor', user.email]]}
                  call={() => portal.DELETE('/api/admin/users/{id}/second-factors', { params })}
                  done={`${name} has no second factor any more, and is signed out everywhere.`}
                >
                  <p>
                    Removes the authenticator app, all passkeys and all recovery codes of {name},
                    and ends all sessions. Make sure that the request really comes from this user.
                  </p>
                </ConfirmButton>
              </div>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** The accounts of a user at providers. */
export const Providers = ({ user }: UserProps) => (
  <section>
    <h2>Provider accounts</h2>
    <Loaded from={useGet('/api/admin/users/{id}/factors', { path: { id: user.id } })}>
      {({ providers }) => (
        <ul class="rows" aria-label="Provider accounts">
          {providers.length === 0 && (
            <Row title="None" below="Users link them by signing in with a provider." />
          )}
          {providers.map((account) => (
            <Linked key={account.id} user={user} account={account} />
          ))}
        </ul>
      )}
    </Loaded>
  </section>
)

function Linked({ user, account }: UserProps & { account: Schemas['ProviderAccount'] }) {
  const { id, name, email, provider } = account
  const path = { id: user.id, providerId: id }
  return (
    <Row
      title={name}
      note={email !== null && `, ${email}`}
      below={<Use begun="Linked" of={account} />}
    >
      {may('users:update') && (
        <ActionButton
          label="Unlink"
          about={`the account at ${name}`}
          words={[['user unlink', user.email], provider]}
          call={() =>
            portal.DELETE('/api/admin/users/{id}/providers/{providerId}', { params: { path } })
          }
          done={`The account of ${shortName(user)} at ${name} is unlinked.`}
          question={
            'The sessions that began with it end, and a mail says so. It may be the only way in: ' +
            `without a password, ${shortName(user)} then needs a link by mail.`
          }
        />
      )}
    </Row>
  )
}
