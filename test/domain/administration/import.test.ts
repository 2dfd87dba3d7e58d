import t from 'tap'
import { checker } from '../../../src/commands/terminal.ts'
import { prepareUser } from '../../../src/domain/administration/import-lines.ts'
import { TransferredUser } from '../../../src/schemas/transfer.ts'

const known = { roles: new Map<string, string>(), providerOf: () => undefined }
const created = (createdAt: string) =>
  prepareUser({ email: 'ada@example.com', name: 'Ada', createdAt }, known).user

t.test('ids of imported accounts are in the order of creation, before 1970 as well', async (t) => {
  const ids = ['1900-01-01T00:00:00Z', '1970-01-02T00:00:00Z', '2020-01-01T00:00:00Z'].map(
    (createdAt) => created(createdAt).id
  )
  t.same(ids, ids.toSorted())
})

t.test('ids of accounts of the same time are in the order of their lines', async (t) => {
  for (const createdAt of ['2020-01-01T00:00:00Z', '1900-01-01T00:00:00Z']) {
    const ids = Array.from({ length: 50 }, () => created(createdAt).id)
    t.same(ids, ids.toSorted())
  }
})

t.test('an import accepts only times that can be stored', async (t) => {
  const check = await checker(TransferredUser)
  const user = (createdAt: string) => ({ email: 'ada@example.com', name: 'Ada', createdAt })
  for (const offset of ['Z', '+01:00', '-23:59']) {
    t.ok(check(user(`2020-01-01T00:00:00${offset}`)))
    t.ok(created(`2020-01-01T00:00:00${offset}`).createdAt?.getTime())
  }
  for (const offset of ['', '+01', '-0100']) {
    t.throws(() => check(user(`2020-01-01T00:00:00${offset}`)), { code: 'invalid-request' })
  }
})
