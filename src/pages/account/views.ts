import type { ComponentType } from 'preact'
import type { Schemas } from '../shared/client.ts'
import { Home } from './home.tsx'
import { SignIn } from './sign-in.tsx'

interface View {
  /** Below /account: the mails link to these (`src/domain/mail`, docs/accounts.md). */
  path: string
  /** Whether the view leads to the sign-in page when nobody is signed in. */
  needsUser: boolean
  View: ComponentType<{ options: Schemas['SignInOptions'] }>
}

export const views: readonly View[] = [
  { path: '/', needsUser: true, View: Home },
  { path: '/sign-in', needsUser: false, View: SignIn }
]
