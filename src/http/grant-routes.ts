import type { Static, TObject } from '@sinclair/typebox'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Db } from '../../db/engine.ts'
import type { Actor } from '../domain/actor.ts'
import type { Access } from '../domain/permissions.ts'
import type { ProblemCode } from '../problems/list.ts'
import { NoContent } from '../schemas/primitives.ts'
import { problem } from '../schemas/problem.ts'
import type { ProblemResponse } from '../schemas/problem.ts'
import type { Tag } from './document/operation-tags.ts'

interface Change<P> {
  operationId: string
  run: (db: Db, actor: Actor, params: P) => Promise<void>
  /** Beside that of both, or in its place. */
  config?: FastifyContextConfig
  /** The refusals beside 404. */
  refusals: Record<number, ProblemResponse>
  note?: string
}

interface Grants<S extends TObject> {
  access: Access
  tag: Tag
  door?: true
  params: S
  /** The kinds of the granted thing and of its owner, such as a role and a user. */
  thing: 'role' | 'permission'
  owner: 'user' | 'member' | 'service' | 'role'
  /** Where it is granted, if not everywhere. */
  where?: string
  /** The request with which a change takes effect. */
  effect: string
  missing: ProblemCode[]
  grant: Change<Static<S>>
  revoke: Change<Static<S>>
}

/** Adds `PUT` to grant and `DELETE` to revoke something, both without effect a second time. */
export function addGrantRoutes<S extends TObject>(
  app: FastifyInstance,
  url: string,
  { access, tag, door, params, thing, owner, where = '', ...rest }: Grants<S>
) {
  const { effect, missing, grant, revoke } = rest
  const add = (
    method: 'PUT' | 'DELETE',
    { operationId, run, config, refusals, note = '' }: Change<Static<S>>,
    texts: { summary: string; state: string; done: string }
  ) =>
    app.route({
      method,
      url,
      config: { access, tag, ...(door && { door }), ...config },
      schema: {
        operationId,
        summary: texts.summary,
        description:
          `Takes effect with ${effect}. Has no effect when the ${owner} ${texts.state} the ` +
          `${thing}.${note}`,
        params,
        response: {
          204: NoContent(`The ${owner} ${texts.done} the ${thing}`),
          404: problem(`The ${owner} or the ${thing} does not exist`, ...missing),
          ...refusals
        }
      },
      handler: async (request) => run(app.db, request.actor, request.params as Static<S>)
    })
  add('PUT', grant, {
    summary: `Grant a ${thing} to a ${owner}${where}`,
    ...{ state: 'already has', done: 'now has' }
  })
  add('DELETE', revoke, {
    summary: `Revoke a ${thing} from a ${owner}${where}`,
    ...{ state: 'does not have', done: 'no longer has' }
  })
}
