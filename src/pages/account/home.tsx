import { Link } from 'wouter-preact'
import { Page } from '../shared/page.tsx'
import { user } from '../shared/session.ts'
import { addressOf } from './links.tsx'
import { say } from './say.ts'

export function Home() {
  const { email = '', suspendedRoles = [] } = user.value ?? {}
  return (
    <Page title={say('your-account')} about={say('signed-in-as', { email })}>
      {suspendedRoles.length > 0 && (
        <p>{say('suspended-roles', { roles: suspendedRoles.join(', ') })}</p>
      )}
      <ul class="rows">
        {(['security', 'sessions', 'data'] as const).map((name) => (
          <li key={name}>
            <div>
              <Link href={addressOf(`/${name}`)}>
                <strong>{say(name)}</strong>
              </Link>
              <br />
              <small class="muted">{say(`${name}-about`)}</small>
            </div>
          </li>
        ))}
      </ul>
    </Page>
  )
}
