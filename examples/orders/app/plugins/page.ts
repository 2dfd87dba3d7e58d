import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { allow } from 'portal'
import type { FastifyInstance } from 'portal'

const root = path.join(import.meta.dirname, '../../page/public')
const policy = { access: 'public', csp: "default-src 'self'" } as const

export default async (app: FastifyInstance) => {
  await app.register(allow(fastifyStatic, policy), { root })
}
