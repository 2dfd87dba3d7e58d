import { Link, useLocation } from 'wouter-preact'
import { Action } from '../shared/form.tsx'
import { signOut } from '../shared/session-calls.ts'
import { addressOf } from './links.tsx'
import { mayLeave } from './new-codes.ts'
import { say } from './say.ts'

const entries = [
  ['/', 'menu'],
  ['/security', 'security'],
  ['/sessions', 'sessions'],
  ['/data', 'data']
] as const

/** The views of a signed-in user. */
export function Menu() {
  const [path] = useLocation()
  return (
    <header>
      <nav aria-label={say('menu')}>
        <ul>
          {entries.map(([target, title]) => (
            <li key={target}>
              <Link href={addressOf(target)} aria-current={path === target ? 'page' : undefined}>
                {say(title)}
              </Link>
            </li>
          ))}
        </ul>
        <ul>
          <li>
            <Action
              label={say('sign-out')}
              kind="outline"
              onPress={async () => {
                if (await mayLeave()) await signOut()
              }}
            />
          </li>
        </ul>
      </nav>
    </header>
  )
}
