import { signal } from '@preact/signals'
import type { Schemas } from '../../shared/client.ts'

/** Where this console is, and what it may do. Undefined until it is known, and in development. */
export const facts = signal<Schemas['ConsoleFacts'] | undefined>(undefined)
