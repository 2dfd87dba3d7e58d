import './user-menu.css'
import { Action } from '../../shared/form.tsx'
import { signOut } from '../../shared/session.ts'
import { settings } from '../../shared/settings.ts'
import { chooseTheme, theme } from '../../shared/theme.ts'
import type { Theme } from '../../shared/theme.ts'
import { user } from '../../shared/session.ts'
import { endConsole } from '../operator/end.ts'
import { Icon } from './icons.tsx'

const themes: [Theme, string][] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark']
]

/** Who is signed in, and what concerns only them. */
export function UserMenu() {
  const { name = '', email = '' } = user.value ?? {}
  return (
    <div class="user">
      <button type="button" class="plain" popovertarget="user-menu">
        <span class="avatar" aria-hidden="true">
          {[...name][0]}
        </span>
        <span class="who" title={`${name}, ${email}`}>
          <span>{name}</span>
          <small>{email}</small>
        </span>
        <Icon name="more" />
      </button>
      <div id="user-menu" class="menu" popover="auto">
        {settings.hasAccountPages && <a href="/account">Your account</a>}
        <fieldset>
          <legend>Theme</legend>
          {themes.map(([value, text]) => (
            <label key={value}>
              <input
                type="radio"
                name="theme"
                checked={theme.value === value}
                onChange={() => chooseTheme(value)}
              />{' '}
              {text}
            </label>
          ))}
        </fieldset>
        {settings.surface ? (
          <Action label="End" kind="outline" onPress={endConsole} />
        ) : (
          <Action label="Sign out" kind="outline" onPress={signOut} />
        )}
      </div>
    </div>
  )
}
