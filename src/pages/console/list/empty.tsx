import type { ComponentChildren } from 'preact'
import { Command } from '../command-line.tsx'

interface EmptyProps {
  title: string
  /** What belongs here, and why one would want it. */
  children: ComponentChildren
  /** The first step. */
  action?: ComponentChildren
  /** The same on the command line. */
  command?: string
}

/** In place of a list without items. */
export const Empty = ({ title, children, action, command }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {action && <div class="actions">{action}</div>}
    {command !== undefined && <Command intro="On the command line:" command={command} />}
  </div>
)
