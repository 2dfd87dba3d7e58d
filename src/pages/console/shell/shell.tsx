import './shell.css'
import './user-menu.css'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { Action } from '../../shared/form.tsx'
import { useNextTask } from '../../shared/load.tsx'
import { settings } from '../../shared/page.tsx'
import { signOut, user } from '../../shared/session.ts'
import { chooseTheme, theme, themeNames, themes } from '../../shared/theme.ts'
import { may } from '../may.ts'
import { endConsole } from '../operator/access.ts'
import { Search } from '../search/search.tsx'
import { groups, views } from '../views.ts'
import { Brand, Icon } from './icons.tsx'
import { StatusLine } from './status.tsx'
import './narrow.css' // last, because it changes rules of the style sheets above

/** The views that the user may see, in groups. On a narrow page it opens over the view. */
function Navigation({ id }: { id: string }) {
  const [path] = useLocation()
  const menu = useRef<HTMLElement>(null)
  const close = () => menu.current?.matches(':popover-open') && menu.current.hidePopover()
  return (
    <nav ref={menu} id={id} aria-label="Console" class="views" popover="auto">
      {groups.map((group) => {
        const shown = views.filter((view) => view.group === group && may(view.permission))
        return (
          shown.length > 0 && (
            <ul key={group}>
              {shown.map(({ path: target, title }) => (
                <li key={target}>
                  <Link
                    href={target === '/' ? '~/console' : target}
                    aria-current={isWithin(path, target) ? 'page' : undefined}
                    onClick={close}
                  >
                    <Icon name={title.toLowerCase()} />
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          )
        )
      })}
    </nav>
  )
}

const firstOf = (path: string) => path.split('/')[1]

/** Also `/new-flag` and `/deleted-flags` are within `/flags`, and scopes within `/users`. */
const isWithin = (path: string, target: string) =>
  path === target ||
  views.some((view) => view.parent === target && firstOf(view.path) === firstOf(path))

/** Who is signed in, and what concerns only them. */
function UserMenu() {
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
          {themes.map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="theme"
                checked={theme.value === value}
                onChange={() => chooseTheme(value)}
              />{' '}
              {themeNames[value]}
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

interface ShellProps {
  /** Above every view. */
  where: ComponentChildren
  children: ComponentChildren
}

/** The frame around every view. */
export function Shell({ where, children }: ShellProps) {
  const isWhole = useNextTask() // after the view, which sends its requests
  return (
    <div class="shell">
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header class="side">
        {isWhole && (
          <>
            <div class="brand">
              <Link href="~/console" title={settings.product}>
                <Brand />
              </Link>
            </div>
            <Search />
            <button type="button" class="plain open-menu" popovertarget="views">
              <Icon name="menu" />
              <span class="unseen">Menu</span>
            </button>
            <Navigation id="views" />
            <UserMenu />
          </>
        )}
      </header>
      <div class="content">
        {where}
        <main id="content">{children}</main>
      </div>
      <StatusLine />
    </div>
  )
}

/** By script, because the address has the filters of the view. */
function skip(event: Event) {
  event.preventDefault()
  document.querySelector<HTMLElement>('main h1')?.focus()
}
