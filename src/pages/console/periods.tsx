import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'

interface PeriodsProps {
  of: readonly { title: string; href: string; isCurrent: boolean }[]
  /** After the links. */
  children?: ComponentChildren
}

/** Links to the same view of other periods. */
export const Periods = ({ of, children }: PeriodsProps) => (
  <nav class="periods" aria-label="Period">
    <ul>
      {of.map(({ title, href, isCurrent }) => (
        <li key={title}>
          <Link href={href} aria-current={isCurrent ? 'true' : undefined}>
            {title}
          </Link>
        </li>
      ))}
      {children && <li>{children}</li>}
    </ul>
  </nav>
)
