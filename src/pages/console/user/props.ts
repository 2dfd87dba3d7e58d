import type { Schemas } from '../../shared/client.ts'

export interface UserProps {
  user: Schemas['User']
  /** Reads the user again. */
  reload(): Promise<void>
}
