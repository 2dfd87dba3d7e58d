import t from 'tap'
import { cachedBySchema } from '../../src/http/validation.ts'

t.test('a schema is compiled once for all applications with the same shared schemas', async (t) => {
  const kept = cachedBySchema<object>()
  let compiled = 0
  const compile = () => ({ compiled: ++compiled })
  const shared = () => ({ User: { $id: 'User', type: 'object' } })
  const [one, two] = [kept(shared()), kept(shared())]
  const first = one({ $ref: 'User#' }, compile)
  t.equal(one({ $ref: 'User#' }, compile), first)
  t.equal(two({ $ref: 'User#' }, compile), first)
  t.not(two({ $ref: 'User#', nullable: true }, compile), first, 'another schema')
  t.not(kept({})({ $ref: 'User#' }, compile), first, 'another meaning of the reference')
  t.equal(compiled, 3)
})
