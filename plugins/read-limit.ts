import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { overloaded } from '../src/domain/errors.ts'
import { requiresKey, requiresSession } from '../src/domain/permissions.ts'
import { isRead, isWebSocket } from '../src/http/methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response comes from memory: such reads are not limited. */
    fromMemory?: true
  }
}

/** Reads that an instance answers at a time: of one session or key, and of all of one owner. */
const most = { own: 50, total: 200 } as const

/**
 * Limits the reads of one caller at a time, who could otherwise fill the queue of statements that
 * all callers share.
 */
export default fp(
  async (app) => {
    const running = new Map<string, number>()
    const count = (name: string) => running.get(name) ?? 0
    const add = (name: string, change: number) => {
      const now = count(name) + change
      if (now > 0) running.set(name, now)
      else running.delete(name)
    }
    const onEnd = createEnds()
    const places = new WeakMap<FastifyReply, Place>()
    const admit = (reply: FastifyReply, callerId: string, total: string) => {
      const { raw, request } = reply
      const own = `own ${callerId}`
      const { socket } = request.raw
      // The client has left during authentication. Its response closes no second time, so it would
      // hold its place for good.
      if (raw.destroyed || socket.destroyed) return overloaded()
      if (count(own) >= most.own || count(total) >= most.total) return overloaded()
      const place = createPlace((change) => {
        for (const name of [own, total]) add(name, change)
      })
      places.set(reply, place)
      onEnd(raw, socket, place.hold())
    }
    const limitReads: onRequestHookHandler = (request, reply, done) => {
      const caller = request.presentedKey?.caller
      const { key, owner } = caller ?? { key: request.session, owner: request.user }
      done(admit(reply, key.id, owner.id))
    }
    app.addHook('onRoute', function addReadLimit(route) {
      const { access, fromMemory } = route.config ?? {}
      // A WebSocket would hold its place for hours.
      if (!isRead(route) || fromMemory || isWebSocket(route)) return
      if (!requiresSession(access) && !requiresKey(access)) return
      // After the route's access policy, which finds the session or the key.
      route.onRequest = [...[route.onRequest ?? []].flat(), limitReads]
      const { handler } = route
      route.handler = async function holdPlace(request, reply) {
        const release = places.get(reply)?.hold()
        try {
          return await handler.call(this, request, reply)
        } finally {
          release?.()
        }
      }
    })
  },
  { name: 'read-limit', dependencies: ['permissions'] }
)

/**
 * A place that is taken while the response or the work for it holds it. A statement goes on after
 * its client has left.
 */
function createPlace(count: (change: 1 | -1) => void) {
  let holders = 0
  return {
    /** Returns a function that releases it. */
    hold() {
      if (holders++ === 0) count(1)
      return () => {
        if (--holders === 0) count(-1)
      }
    }
  }
}
type Place = ReturnType<typeof createPlace>

/**
 * Calls back once, when a response or its connection closes. Pipelined responses that wait for
 * another one do not close with the connection. It has one listener, because a client can pipeline
 * many.
 */
function createEnds() {
  const open = new WeakMap<Socket, Set<() => void>>()
  const endsOf = (socket: Socket) => {
    const known = open.get(socket)
    if (known) return known
    const ends = new Set<() => void>()
    open.set(socket, ends)
    socket.once('close', () => {
      for (const end of ends) end()
    })
    return ends
  }
  return (response: ServerResponse, socket: Socket, callback: () => void) => {
    const ends = endsOf(socket)
    const end = () => {
      if (ends.delete(end)) callback()
    }
    ends.add(end)
    response.once('close', end)
  }
}
