import { Link } from 'wouter-preact'
import { Page } from '../shared/page.tsx'
import { user } from '../shared/session.ts'
import { addressOf } from './links.tsx'
import { say } from './say.ts'

export function Home() {
  const { email = '', suspendedRoles = [] } = user.value ?? {}
  return (
    <Page title={say('your-account')}>
      <p>{say('signed-in-as', { email })}</p>
      {suspendedRoles.length > 0 && (
        <p>{say('suspended-roles', { roles: suspendedRoles.join(', ') })}</p>
      )}
      <dl>
        {(['security', 'sessions', 'data'] as const).map((name) => (
          <div key={name}>
            <dt>
              <Link href={addressOf(`/${name}`)}>{say(name)}</Link>
            </dt>
            <dd>{say(`${name}-about`)}</dd>
          </div>
        ))}
      </dl>
    </Page>
  )
}
