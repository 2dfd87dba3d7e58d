import { desc, eq, getTableColumns } from 'drizzle-orm'
import { closed, Id, text, Timestamp, transaction, Type } from 'portal'
import type { Db, FastifyPluginAsyncTypebox } from 'portal'
import { invoices } from '../../schema.ts'

const { customer, ...columns } = getTableColumns(invoices)
const params = closed({ org: text(81, { description: 'Scope of the customer' }) })
const content = {
  item: text(200, { minLength: 1 }),
  cents: Type.Integer({ minimum: 1, maximum: 1e9 })
}
const Invoice = closed({
  id: Id('Invoice id'),
  ...content,
  createdAt: Timestamp('Time of the invoice')
})

export default (async (app) => {
  app.get('/:org/invoices', {
    config: { access: { permission: 'invoices:read', scope: 'params.org' }, tag: 'invoices' },
    schema: {
      operationId: 'listInvoices',
      summary: 'List the invoices of a customer',
      params,
      response: { 200: Type.Array(Invoice, { maxItems: 100, description: 'Newest first' }) }
    },
    // Each query names the customer: the access policy has judged the caller for this one only.
    handler: async ({ params: { org } }) => {
      const own = app.db.select(columns).from(invoices).where(eq(customer, org))
      return own.orderBy(desc(invoices.createdAt)).limit(100)
    }
  })

  app.post('/:org/invoices', {
    config: { access: { permission: 'invoices:write', scope: 'params.org' }, tag: 'invoices' },
    schema: {
      operationId: 'writeInvoice',
      summary: 'Write an invoice to a customer',
      params,
      body: closed(content),
      response: { 201: { ...Invoice, description: 'The new invoice' } }
    },
    handler: async ({ params: { org }, body }) => {
      const values = { ...body, customer: org }
      const insert = (tx: Db) => tx.insert(invoices).values(values).returning(columns)
      return (await transaction(app.db, insert))[0]
    }
  })
}) satisfies FastifyPluginAsyncTypebox
