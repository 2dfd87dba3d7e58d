import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { allow } from 'portal'
import type { FastifyInstance } from 'portal'

const root = path.join(import.meta.dirname, '../../page/public')

export default async (app: FastifyInstance) => {
  await app.register(allow(fastifyStatic, { access: 'public', csp: "default-src 'self'" }), { root })
}
