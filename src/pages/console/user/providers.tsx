import { ok, portal } from '../../shared/client.ts'
import type { Schemas } from '../../shared/client.ts'
import { Loaded, renew, useGet } from '../../shared/load.tsx'
import { Ago } from '../../shared/time.tsx'
import { ConfirmButton } from '../action-buttons.tsx'
import { may } from '../may.ts'
import { report } from '../shell/status.tsx'
import { shortName } from './short-name.ts'

interface UserProps {
  user: Schemas['User']
}

/** The accounts of a user at providers. */
export function Providers({ user }: UserProps) {
  const loaded = useGet('/api/admin/users/{id}/factors', { path: { id: user.id } })
  return (
    <section>
      <h2>Provider accounts</h2>
      <Loaded from={loaded}>
        {({ providers }) =>
          providers.length === 0 ? (
            <p class="muted">
              {shortName(user)} has none. Users link them by signing in with a provider, or on their
              account pages.
            </p>
          ) : (
            <ul class="rows" aria-label="Provider accounts">
              {providers.map((account) => (
                <Linked key={account.id} user={user} account={account} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

interface LinkedProps extends UserProps {
  account: Schemas['ProviderAccount']
}

const Linked = ({ user, account }: LinkedProps) => (
  <li>
    <div>
      <strong>{account.name}</strong>
      {account.email !== null && `, ${account.email}`}
      <br />
      <small class="muted">
        Linked <Ago at={account.createdAt} />,{' '}
        {account.lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Ago at={account.lastUsedAt} />
          </>
        )}
      </small>
    </div>
    {may('users:update') && <Unlink user={user} account={account} />}
  </li>
)

function Unlink({ user, account: { id, name, provider } }: LinkedProps) {
  const path = { id: user.id, providerId: id }
  return (
    <ConfirmButton
      label="Unlink"
      about={`the account at ${name}`}
      isDangerous
      isQuiet
      words={[['user unlink', user.email], provider]}
      onSubmit={async () => {
        await ok(
          portal.DELETE('/api/admin/users/{id}/providers/{providerId}', { params: { path } })
        )
        await renew()
        report(`The account of ${shortName(user)} at ${name} is unlinked.`)
      }}
    >
      <p>
        The sessions that began with it end, and a mail says so. It may be the only way in: without
        a password, {shortName(user)} then needs a link by mail.
      </p>
    </ConfirmButton>
  )
}
