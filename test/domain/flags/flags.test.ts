import { eq } from 'drizzle-orm'
import t from 'tap'
import { flags } from '../../../db/schema/flags.ts'
import { createFlag, updateFlag } from '../../../src/domain/flags/flags.ts'
import { operator, testDatabase } from '../../support/app.ts'

t.test('a flag beyond a limit can be disabled and shrunk, but not grown', async (t) => {
  const { db } = await testDatabase(t)
  const { key } = await createFlag(db, operator, {
    key: 'large',
    type: 'string',
    variants: { on: '' },
    defaultVariant: 'on',
    offVariant: 'on'
  })
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`v${n}`, 'x'.repeat(400)]))
  await db
    .update(flags)
    .set({ variants: { on: '', ...many } })
    .where(eq(flags.key, key))
  t.equal(
    (await updateFlag(db, operator, { key, changes: { state: 'disabled' } })).state,
    'disabled'
  )
  await t.rejects(updateFlag(db, operator, { key, changes: { variants: { more: '' } } }), {
    errors: [{ pointer: '/variants', code: 'too-many' }, { code: 'too-long' }]
  })
  await t.rejects(
    updateFlag(db, operator, { key, changes: { variants: { v0: 'x'.repeat(401) } } }),
    {
      errors: [{ pointer: '/variants', code: 'too-long' }]
    }
  )
  const { variants } = await updateFlag(db, operator, {
    key,
    changes: {
      variants: { v0: null, v1: null, more: '' }
    }
  })
  t.equal(Object.keys(variants).length, 60)
})
