import { useRef } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { may } from '../may.ts'
import { groups, views } from '../views.ts'
import { Icon } from './icons.tsx'

/** The views that the user may see, in groups. On a narrow page it opens over the view. */
export function Navigation({ id }: { id: string }) {
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

/** Also `/new-flag`, `/stale-flags` and `/deleted-flags` are within `/flags`. */
const isWithin = (path: string, target: string) =>
  path === target ||
  path.startsWith(`${target}/`) ||
  views.find((view) => view.path === path)?.parent === target
