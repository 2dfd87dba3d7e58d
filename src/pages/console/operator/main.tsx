// First, because it takes the link out of the address.
import { readOperator } from './access.ts'
import { startConsole } from '../start.tsx'
import { ConsoleEnded } from './ended.tsx'
import { Gate } from './gate.tsx'
import { Where } from './where.tsx'

startConsole({ read: readOperator, Nobody: Gate, Where, Dialogs: ConsoleEnded })
