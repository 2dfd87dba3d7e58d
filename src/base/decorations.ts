import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyPluginAsync, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { Db } from '../../db/engine.ts'
import type { Actor, SignedInActor } from '../domain/actor.ts'
import type { Page } from '../domain/keyset.ts'
import type { Access } from '../domain/permissions.ts'
import type { OwnTag } from '../domain/vocabulary.ts'
import type { SignedIn } from '../http/authentication.ts'
import type { Tag } from '../http/document/operation-tags.ts'

// The additions of plugins/ to Fastify that routes of the portal and of an app use. Others, which
// only the portal uses, are declared in plugins/.

declare module 'fastify' {
  interface FastifyInstance {
    db: Db
  }
  interface FastifyRequest {
    /** The signed-in user. Throws on a route whose policy does not require one. */
    user: SignedIn['user']
    /** The session of the signed-in user. Throws like `user`. */
    session: SignedIn['session']
    /** The signed-in user. Null before authentication, and when nobody is signed in. */
    principal: SignedIn | null
    /** Who sends the request, for `authorized` and `record`. */
    actor: Actor
    /** The signed-in user as the author of changes to their own data. Throws like `user`. */
    self: SignedInActor
    /** The position in the cursor of a list, for `page`. Throws `invalid-cursor`. */
    cursorPosition(): unknown[] | undefined
  }
  interface FastifyReply {
    /** Prepares a page of a list for the response, with a link to the next one. */
    page<T>(page: Page<T>): { items: T[]; nextCursor: string | null }
  }
  interface FastifyContextConfig {
    /** Who may call the route. A route without it stops the start. */
    access?: Access
    /** The group of the operation in the API document. */
    tag?: Tag | OwnTag
  }
}

interface TypeBoxTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** The type of a file with routes, whose parameters and bodies have the types of their schemas. */
export type FastifyPluginAsyncTypebox = FastifyPluginAsync<
  Record<never, never>,
  RawServerDefault,
  TypeBoxTypeProvider
>
