import type { ComponentType } from 'preact'
import { ConfirmEmail } from './confirm-email.tsx'
import { Confirm } from './confirm.tsx'
import { Data } from './data.tsx'
import { Delete, Deleted } from './delete.tsx'
import { EndKeys } from './end-keys.tsx'
import { Enrol } from './enrol.tsx'
import { Forgot } from './forgot.tsx'
import { Home } from './home.tsx'
import { Register } from './register.tsx'
import { Restore } from './restore.tsx'
import { Reset, Revert, RevertFactors } from './reset.tsx'
import { Security } from './security.tsx'
import { Sessions } from './sessions.tsx'
import { Settings } from './settings.tsx'
import type { Key } from './say.ts'
import { SignInAndLeave } from './sign-in.tsx'
import { settings } from '../shared/settings.ts'

interface View {
  /** Below /account. Mails link to these: see `Page` in `src/mail/writer.ts`. */
  path: string
  /** Whether a user must be signed in. Without one, the sign-in form is in place of the view. */
  needsUser: boolean
  /** What that form says it is for. */
  why?: Key
  View: ComponentType
}

export const views: readonly View[] = [
  { path: '/', needsUser: true, View: Home },
  { path: '/sign-in', needsUser: false, View: SignInAndLeave },
  { path: '/register', needsUser: false, View: Register },
  { path: '/confirm', needsUser: false, View: Confirm },
  { path: '/confirm-email', needsUser: true, why: 'why-confirm-email', View: ConfirmEmail },
  { path: '/forgot', needsUser: false, View: Forgot },
  { path: '/reset', needsUser: false, View: Reset },
  { path: '/restore', needsUser: false, View: Restore },
  { path: '/revert', needsUser: false, View: Revert },
  { path: '/revert-factors', needsUser: false, View: RevertFactors },
  { path: '/end-keys', needsUser: false, View: EndKeys },
  { path: '/enrol', needsUser: true, why: 'why-enrol', View: Enrol },
  { path: '/security', needsUser: true, why: 'why-security', View: Security },
  { path: '/sessions', needsUser: true, why: 'why-sessions', View: Sessions },
  ...(settings.keepsSettings
    ? [{ path: '/settings', needsUser: true, why: 'why-settings', View: Settings } as const]
    : []),
  { path: '/data', needsUser: true, why: 'why-data', View: Data },
  { path: '/delete', needsUser: true, why: 'why-delete', View: Delete },
  { path: '/deleted', needsUser: false, View: Deleted }
]
