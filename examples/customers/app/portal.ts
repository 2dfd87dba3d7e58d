import { defineApp } from 'portal'

const app = defineApp({
  permissions: { 'invoices:read': 'See invoices', 'invoices:write': 'Write invoices' },
  tags: { invoices: 'Invoices of a customer' }
})

export default app

declare module 'portal' {
  interface Register {
    app: typeof app
  }
}
