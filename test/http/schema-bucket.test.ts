import Fastify from 'fastify'
import t from 'tap'
import { schemaBucket } from '../../src/http/schema-bucket.ts'

t.test('a scope has the schemas of its parents, and no others see its own', async (t) => {
  const app = Fastify({ schemaController: { bucket: schemaBucket } })
  const seen: Record<string, string[]> = {}
  app.addSchema({ $id: 'Shared', type: 'object' })
  app.register(async (one) => {
    one.addSchema({ $id: 'Own', type: 'object' })
    seen.one = Object.keys(one.getSchemas())
    one.register(async (inner) => {
      seen.inner = Object.keys(inner.getSchemas())
    })
  })
  app.register(async (two) => {
    seen.two = Object.keys(two.getSchemas())
    t.throws(() => two.addSchema({ $id: 'Shared' }), /schema Shared exists/)
  })
  await app.ready()
  t.same(seen, { one: ['Shared', 'Own'], inner: ['Shared', 'Own'], two: ['Shared'] })
  t.same(Object.keys(app.getSchemas()), ['Shared'])
})
