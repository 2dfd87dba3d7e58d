import { desc, eq, getTableColumns } from 'drizzle-orm'
import { authorized, closed, DomainError, Id, nullable, problem, record } from 'portal'
import { sendMail, text, throttled, Timestamp, tooMany, transaction, Type } from 'portal'
import type { Db, FastifyPluginAsyncTypebox } from 'portal'
import { orders } from '../../schema.ts'

const { userId, ...columns } = getTableColumns(orders)
const Order = closed({
  id: Id('Order id'),
  item: text(200),
  createdAt: Timestamp('Time of the order'),
  shippedAt: nullable(Timestamp('Time of the shipment, or null'))
})

export default (async (app) => {
  app.get('/', {
    config: { access: 'session', tag: 'orders' },
    schema: {
      operationId: 'listOrders',
      summary: 'List own orders',
      response: { 200: Type.Array(Order, { maxItems: 100, description: 'Newest first' }) }
    },
    handler: async ({ user }) => {
      const own = app.db.select(columns).from(orders).where(eq(userId, user.id))
      return own.orderBy(desc(orders.createdAt)).limit(100)
    }
  })

  app.post('/', {
    config: { access: { permission: 'orders:place' }, tag: 'orders' },
    schema: {
      operationId: 'placeOrder',
      summary: 'Place an order',
      body: closed({ item: text(200, { minLength: 1 }) }),
      response: { 201: { ...Order, description: 'The new order' }, 429: tooMany }
    },
    handler: async (request) => {
      await throttled(request, 'orders')
      const values = { userId: request.user.id, item: request.body.item }
      const insert = (tx: Db) => tx.insert(orders).values(values).returning(columns)
      return (await transaction(app.db, insert))[0]
    }
  })

  app.post('/:id/shipment', {
    config: { access: { permission: 'orders:ship' }, tag: 'orders' },
    schema: {
      operationId: 'shipOrder',
      summary: 'Ship an order',
      params: closed({ id: Id('Order id') }),
      body: closed({ carrier: text(40, { minLength: 1 }) }),
      response: {
        200: { ...Order, description: 'The shipped order' },
        404: problem('No order has this id', 'order-not-found'),
        409: problem('The order is shipped already', 'order-shipped')
      }
    },
    handler: async ({ actor, params: { id }, body: { carrier } }) => {
      const which = eq(orders.id, id)
      const lock = async (tx: Db) => tx.select().from(orders).where(which).for('update')
      return authorized(app.db, actor, 'orders:ship', lock, async (tx, by, [order]) => {
        if (!order) throw new DomainError('order-not-found')
        if (order.shippedAt) throw new DomainError('order-shipped')
        const set = tx.update(orders).set({ shippedAt: new Date() }).where(which)
        const [shipped] = await set.returning(columns)
        await record(tx, by, 'order.ship', { target: { type: 'order', id }, details: { carrier } })
        const params = { item: order.item, carrier }
        await sendMail(tx, app, 'order-shipped', { userId: order.userId, params })
        return shipped
      })
    }
  })
}) satisfies FastifyPluginAsyncTypebox
