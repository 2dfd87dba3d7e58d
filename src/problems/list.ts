import { accounts } from './accounts.ts'
import { entities } from './entities.ts'
import type { ProblemType } from './problem-type.ts'
import { providers } from './providers.ts'
import { requests } from './requests.ts'

const all = { ...requests, ...accounts, ...providers, ...entities }

/** A published code never changes. */
export type ProblemCode = keyof typeof all

/**
 * Every problem that the portal can answer with, by its code. Routes name those that they can send,
 * and docs/lookup/errors.md is generated from this list.
 */
export const problems: Record<ProblemCode, ProblemType> = all
