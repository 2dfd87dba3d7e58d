// The package `portal`: everything that an app may import. A release changes it by semver.

export { transaction } from '../../db/transaction.ts'
export type { Db } from '../../db/engine.ts'
export { authorized, authorizedOn, lockNothing } from '../domain/access/authorize.ts'
export { record } from '../domain/activity/record.ts'
export type { Actor, SignedInActor } from '../domain/actor.ts'
export { DomainError } from '../domain/errors.ts'
export type { MailText } from '../domain/mail/composer.ts'
export type { Registering } from '../domain/sign-in/context.ts'
export { page } from '../domain/keyset.ts'
export type { Page, Window } from '../domain/keyset.ts'
export type { Register } from '../domain/vocabulary.ts'
export {
  closed,
  Count,
  Id,
  integer,
  NoContent,
  nullable,
  oneOf,
  ref,
  text,
  Timestamp
} from '../schemas/primitives.ts'
export { evaluateFlag, evaluateFlags } from '../http/flag-evaluation.ts'
export { listQuery, pageOf } from '../schemas/lists.ts'
export { passingProblem, problem, tooMany } from '../schemas/problem.ts'
export { createApp } from './create-app.ts'
export { defineApp } from './definition.ts'
export type { AppDefinition, Hooks } from './definition.ts'
export { AppError } from './load.ts'
export { sendMail } from './send-mail.ts'
export { throttled } from './throttled.ts'
