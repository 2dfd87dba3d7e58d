import { eq } from 'drizzle-orm'
import { defineApp } from 'portal'
import { orders } from './schema.ts'

const app = defineApp({
  permissions: { 'orders:place': 'Place orders', 'orders:ship': 'Ship orders' },
  grants: { user: ['orders:place'] },
  tags: { orders: 'Orders of the shop' },
  targets: ['order'],
  actions: { 'order.ship': { when: 'an order is shipped', details: { carrier: 'string' } } },
  problems: {
    'order-shipped': { status: 409, title: 'Order shipped', detail: 'The order is on its way.' },
    'order-not-found': { status: 404, title: 'No such order', detail: 'No order has this id.' }
  },
  mails: {
    'order-shipped': {
      params: ['item', 'carrier'],
      texts: {
        en: { subject: 'Your order is on its way', text: '{carrier} brings you: {item}.' },
        de: { subject: 'Ihre Bestellung ist unterwegs', text: '{carrier} bringt Ihnen: {item}.' }
      }
    }
  },
  limits: { orders: { burst: 20, seconds: 60 } },
  exports: { orders: (db, userId) => db.select().from(orders).where(eq(orders.userId, userId)) },
  hooks: {
    beforeRegister: async ({ email }) => ({
      allow: !email.endsWith('@example.net'),
      detail: 'The shop does not deliver to example.net.'
    })
  }
})

export default app

declare module 'portal' {
  interface Register {
    app: typeof app
  }
}
