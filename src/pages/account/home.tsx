import { Link } from 'wouter-preact'
import { useGet } from '../shared/load.tsx'
import { Page, settings } from '../shared/page.tsx'
import { options, user } from '../shared/session.ts'
import { addressOf } from './links.tsx'
import { say } from './say.ts'
import { useSections } from './shell.tsx'

export function Home() {
  const names = useSections()
  const { email = '', suspendedRoles = [] } = user.value ?? {}
  return (
    <Page title={say('your-account')} about={say('signed-in-as', { email })}>
      {suspendedRoles.length > 0 && (
        <p>{say('suspended-roles', { roles: suspendedRoles.join(', ') })}</p>
      )}
      <ul class="rows">
        {names.map((name) => (
          <li key={name}>
            <div>
              <Link href={addressOf(`/${name}`)}>{say(name)}</Link>
              <br />
              <small class="muted">{say(`${name}-about`, { product: settings.product })}</small>
              {name === 'security' && <States />}
            </div>
          </li>
        ))}
      </ul>
    </Page>
  )
}

/** Chips that say how safe the account is, and nothing while that is loaded. */
function States() {
  const security = useGet('/api/user/security')
  const { emailVerified } = user.value ?? {}
  return (
    <div class="summary">
      {emailVerified ? (
        <span class="chip good">{say('email-confirmed')}</span>
      ) : (
        // Without mail, nobody can confirm it.
        options.value?.passwordReset && <span class="chip warn">{say('email-unconfirmed')}</span>
      )}
      {'value' in security &&
        (security.value?.secondFactor ? (
          <span class="chip good">{say('factor-on')}</span>
        ) : (
          <span class="chip">{say('factor-off')}</span>
        ))}
    </div>
  )
}
