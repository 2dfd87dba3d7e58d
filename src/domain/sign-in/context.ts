import type { Db } from '../../../db/engine.ts'
import type { PasskeyRules } from '../factors/passkey-verification.ts'
import type { Guard } from '../guard/guard.ts'
import type { MailService } from '../outbox/enqueue.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { ProviderClient } from '../providers/client.ts'
import type { Provider } from '../providers/provider.ts'
import type { Sealing } from '../sealing.ts'
import type { SessionRules } from '../sessions/sessions.ts'
import type { Settings } from '../settings/settings.ts'
import type { ThrottleContext } from '../throttling/admission.ts'
import type { Buckets } from '../throttling/buckets.ts'
import type { Devices } from '../throttling/devices.ts'
import type { Sender } from '../webhooks/message.ts'

/** A registration before anything is stored. */
export interface Registering {
  email: string
  name: string
  /** The address of the client, if it is known. */
  ip: string | undefined
}

/** The database, and everything else that the domain uses. It is created when the server starts. */
export interface Context extends ThrottleContext {
  passwords: Passwords
  sessionRules: SessionRules
  /** With `closed`, only administrators create accounts. */
  registration: 'open' | 'closed'
  /** Days in which users can restore an account that they delete, or 0. */
  graceDays: number
  devices: Devices
  buckets: Buckets
  sealing: Sealing
  /** Undefined where no mail can be sent: in production without a mail server. */
  mail: MailService | undefined
  providers: readonly Provider[]
  providerClient: ProviderClient
  /** Sends to webhook endpoints. */
  sender: Sender
  /** Settings of the app. Undefined without SETTINGS_SCHEMA. */
  settings: Settings | undefined
  /** Undefined where there are none: see `rpIdOf` in src/config/passkeys.ts. */
  passkeys: PasskeyRules | undefined
  /** Asks for proofs before mail to strangers is sent. Undefined where no mail can be sent. */
  guard?: Guard | undefined
  /** Whether no account can be registered with an address, in its unique form. */
  refusesDomain?: ((emailNormalized: string) => boolean) | undefined
  /** Asks the app whether an account may be registered. Throws a refusal. */
  beforeRegister?: ((registering: Registering) => Promise<void>) | undefined
  /** The data that the app keeps about a user, by name. Undefined without an app. */
  exports?: Readonly<Record<string, (db: Db, userId: string) => Promise<unknown>>> | undefined
}
