import type { ComponentProps } from 'preact'

interface LinkProps extends Omit<ComponentProps<'a'>, 'onClick'> {
  /** Below the path of these pages, or a whole one after `~`. */
  href: string
  /** Takes the place of the current address in the history. */
  replace?: boolean
  onClick?(): void
}

/** Such as `/console`. */
const base = location.pathname.split('/', 2).join('/')

/** A link to another view. That of the router listens to the address: a list has hundreds. */
export const Link = ({ href, replace, onClick, ...props }: LinkProps) => (
  <a
    {...props}
    href={href.startsWith('~') ? href.slice(1) : base + href}
    onClick={(event) => {
      const { ctrlKey, metaKey, altKey, shiftKey, button, currentTarget } = event
      if (ctrlKey || metaKey || altKey || shiftKey || button !== 0) return
      event.preventDefault()
      onClick?.()
      history[replace ? 'replaceState' : 'pushState'](null, '', currentTarget.href)
    }}
  />
)
