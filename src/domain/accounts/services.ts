import type { Passwords } from '../passwords/passwords.ts'
import type { SessionRules } from '../sessions/sessions.ts'
import type { ThrottleServices } from '../throttling/admission.ts'
import type { Buckets } from '../throttling/buckets.ts'
import type { Devices } from '../throttling/devices.ts'

/** What the domain works with beside a database: composed once, when the server starts. */
export interface Services extends ThrottleServices {
  passwords: Passwords
  sessionRules: SessionRules
  /** `closed` leaves creating accounts to administrators. */
  registration: 'open' | 'closed'
  devices: Devices
  buckets: Buckets
}
