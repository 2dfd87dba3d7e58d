import type { Schemas } from '../shared/client.ts'

type Security = Schemas['Security']

/** What the parts of the view about security get. */
export interface SecurityProps {
  security: Security
  /** After a change: the roles that count may be others as well. */
  onChange(): Promise<unknown>
}

export const hasFactor = ({ totp, passkeys }: Security) => totp !== null || passkeys > 0

/** Whether the first second factor takes a link, because a role requires one. */
export const needsLink = (security: Security) =>
  security.requiredByRoles.length > 0 && !hasFactor(security)
