import { Link } from 'wouter-preact'
import { Page } from '../shared/page.tsx'
import { user } from '../shared/session.ts'
import { addressOf } from './links.tsx'
import { settings } from '../shared/settings.ts'
import { say } from './say.ts'
import { hasSettings } from './settings.tsx'

const views = ['security', 'sessions', 'settings', 'data'] as const

export function Home() {
  const { email = '', suspendedRoles = [] } = user.value ?? {}
  return (
    <Page title={say('your-account')} about={say('signed-in-as', { email })}>
      {suspendedRoles.length > 0 && (
        <p>{say('suspended-roles', { roles: suspendedRoles.join(', ') })}</p>
      )}
      <ul class="rows">
        {views
          .filter((name) => name !== 'settings' || hasSettings())
          .map((name) => (
            <li key={name}>
              <div>
                <Link href={addressOf(`/${name}`)}>
                  <strong>{say(name)}</strong>
                </Link>
                <br />
                <small class="muted">{say(`${name}-about`, { product: settings.product })}</small>
              </div>
            </li>
          ))}
      </ul>
    </Page>
  )
}
