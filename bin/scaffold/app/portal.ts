import { asc, eq } from 'drizzle-orm'
import { defineApp } from 'portal'
import { notes } from './schema.ts'

const app = defineApp({
  permissions: { 'notes:write': 'Read and write own notes' },
  grants: { user: ['notes:write'] },
  exports: {
    notes: (db, userId) =>
      db.select().from(notes).where(eq(notes.userId, userId)).orderBy(asc(notes.createdAt))
  }
})

export default app

declare module 'portal' {
  interface Register {
    app: typeof app
  }
}
