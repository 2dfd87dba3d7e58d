import type { ComponentType } from 'preact'
import { Home } from './home.tsx'
import { SignInAndLeave } from './sign-in.tsx'

interface View {
  /** Below /account: the mails link to these (`src/domain/mail`, docs/accounts.md). */
  path: string
  /** Whether somebody must be signed in: otherwise the view begins with the sign-in form. */
  needsUser: boolean
  View: ComponentType
}

export const views: readonly View[] = [
  { path: '/', needsUser: true, View: Home },
  { path: '/sign-in', needsUser: false, View: SignInAndLeave }
]
