import { Link, useLocation } from 'wouter-preact'
import { Action } from '../shared/form.tsx'
import { useGet } from '../shared/load.tsx'
import { settings, showCurrent } from '../shared/page.tsx'
import { signOut, user } from '../shared/session.ts'
import { addressOf } from './links.tsx'
import { mayLeave } from './recovery-codes.tsx'
import { say } from './say.ts'
import type { Key } from './say.ts'

/** The logo or name of the product. */
export const Product = () => (
  <p class="product" title={settings.product}>
    {settings.logo ? (
      <img class="logo" src={settings.logo} alt={settings.product} />
    ) : (
      <span data-initial={[...settings.product][0]}>{settings.product}</span>
    )}
  </p>
)

/** The page of the app to which a sign-in leads, unless it is one of these. */
function appUrl(): string | undefined {
  const { returnTo } = settings
  if (returnTo === undefined) return undefined
  const { origin, pathname } = new URL(returnTo, location.href)
  return origin === location.origin && /^\/account(\/|$)/.test(pathname) ? undefined : returnTo
}

export const Back = () => {
  const url = appUrl()
  const text = say('back-to', { product: settings.product })
  return url === undefined ? null : (
    <a href={url} class="cut" title={text}>
      {text}
    </a>
  )
}

export const Header = () => (
  <header>
    <Product />
    <div class="actions">
      <Back />
      <Action
        label={say('sign-out')}
        kind="outline"
        onPress={async () => {
          if (await mayLeave()) await signOut()
        }}
      />
    </div>
  </header>
)

export const may = (permission: string) => user.value?.permissions.includes(permission) ?? false

export function Menu() {
  const [path] = useLocation()
  const scopes = useGet('/api/user/scopes')
  const isShown: Partial<Record<Key, boolean>> = {
    memberships: 'value' in scopes && scopes.value.items.length > 0,
    // The page says whether there are settings, without a request.
    settings: settings.keepsSettings === true && may('settings:read')
  }
  // Last what is known late, so that nothing else moves then.
  const all: Key[] = ['menu', 'profile', 'security', 'sessions', 'settings', 'data', 'memberships']
  return (
    <nav class="sections" aria-label={say('menu')}>
      <ul ref={(list) => showCurrent(list)}>
        {all.map((name) => {
          if (isShown[name] === false) return null
          const target = name === 'menu' ? '/' : `/${name}`
          return (
            <li key={name}>
              <Link href={addressOf(target)} aria-current={path === target ? 'page' : undefined}>
                {say(name)}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
