import type { Schemas } from '../shared/client.ts'

type Security = Schemas['Security']

/** Properties of the sections of the view about security. */
export interface SecurityProps {
  security: Security
  /** Loads again after a change, which may also change which roles count. */
  onChange(): Promise<unknown>
}

export const hasFactor = ({ totp, passkeys }: Security) => totp !== null || passkeys > 0

/** Whether a role requires a second factor and the user has none: the first one needs a link. */
export const needsLink = (security: Security) =>
  security.requiredByRoles.length > 0 && !hasFactor(security)
