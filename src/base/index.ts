// The package `portal`: everything that an app may import. A release changes it by semver.

import './decorations.ts'

export { Type } from '@sinclair/typebox'
export type { Static } from '@sinclair/typebox'
export type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
export { transaction } from '../../db/transaction.ts'
export type { Db } from '../../db/engine.ts'
export { authorized, authorizedOn, lockNothing } from '../domain/access/authorize.ts'
export { record } from '../domain/activity/record.ts'
export type { Actor, SignedInActor } from '../domain/actor.ts'
export { DomainError } from '../domain/errors.ts'
export type { MailText } from '../domain/mail/composer.ts'
export type { Registering } from '../domain/sign-in/context.ts'
export type { AppEvent, EventFunction } from '../domain/webhooks/worker.ts'
export { page } from '../domain/keyset.ts'
export type { Page, Window } from '../domain/keyset.ts'
// All of them, because an app can add to `Register` only in the module that it is exported from.
export type * from '../domain/vocabulary.ts'
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
export { allow } from './allow.ts'
export { createApp } from './create-app.ts'
export { sendMail, throttled } from './declared.ts'
export type { FastifyPluginAsyncTypebox } from './decorations.ts'
export { defineApp } from './definition.ts'
export type { AppDefinition, Hooks } from './definition.ts'
export { AppError } from './load.ts'
export { users } from './users.ts'
