import './shell.css'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { settings } from '../../shared/settings.ts'
import { Search } from '../search/search.tsx'
import { Icon } from './icons.tsx'
import { Mark } from './mark.tsx'
import { Navigation } from './navigation.tsx'
import { StatusLine } from './status.tsx'
import { UserMenu } from './user-menu.tsx'
import './narrow.css' // after what it changes

interface ShellProps {
  /** Above every view. */
  where: ComponentChildren
  children: ComponentChildren
}

/** What is around every view. */
export function Shell({ where, children }: ShellProps) {
  const [isWhole, setWhole] = useState(false)
  // The view comes first, and sends its requests. Nothing is painted in between.
  useLayoutEffect(() => setWhole(true), [])
  return (
    <div class="shell">
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header class="side">{isWhole && <Side />}</header>
      <div class="content">
        {where}
        <main id="content">{children}</main>
      </div>
      <StatusLine />
    </div>
  )
}

const Side = () => (
  <>
    <div class="brand">
      <Link href="~/console">
        <Mark />
        {settings.product}
      </Link>
      {settings.environment && <span class="chip warn">{settings.environment}</span>}
    </div>
    <Search />
    <button type="button" class="plain open-menu" popovertarget="views">
      <Icon name="menu" />
      <span class="unseen">Menu</span>
    </button>
    <Navigation id="views" />
    <UserMenu />
  </>
)

/** By script, because the address has the filters of the view. */
function skip(event: Event) {
  event.preventDefault()
  document.querySelector<HTMLElement>('main h1')?.focus()
}
