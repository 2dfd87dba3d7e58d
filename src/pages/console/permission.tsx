import type { ComponentChildren } from 'preact'
import { may } from './may.ts'

interface NeedsProps {
  permission: string
  title: string
  children: ComponentChildren
}

/** Renders a section only for users with its permission, so that no request is rejected. */
export function RequiresPermission({ permission, title, children }: NeedsProps) {
  if (may(permission)) return <>{children}</>
  return (
    <section>
      <h2>{title}</h2>
      <p>
        This needs the permission <code>{permission}</code>, which you do not have in this session.
      </p>
    </section>
  )
}
