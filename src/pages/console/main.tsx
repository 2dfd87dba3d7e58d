import { startConsole } from './start.tsx'
import { Dialogs } from '../shared/dialogs.tsx'
import { readSession } from '../shared/session-calls.ts'
import { SignIn } from './sign-in.tsx'

startConsole({ read: readSession, Nobody: SignIn, Dialogs })
