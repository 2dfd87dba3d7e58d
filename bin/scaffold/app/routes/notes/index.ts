import { desc, eq } from 'drizzle-orm'
import { closed, Id, text, Timestamp, transaction, Type } from 'portal'
import type { FastifyPluginAsyncTypebox } from 'portal'
import { notes } from '../../schema.ts'

// The folder is the address: /api/notes.

const Note = closed({
  id: Id('Id of the note'),
  text: text(500),
  createdAt: Timestamp('When it was written')
})
const columns = { id: notes.id, text: notes.text, createdAt: notes.createdAt }

export default (async (app) => {
  app.get('/', {
    config: { access: { permission: 'notes:write' } },
    schema: {
      operationId: 'listNotes',
      summary: 'List own notes',
      description: 'Returns the latest hundred notes of the signed-in user, newest first.',
      response: { 200: Type.Array(Note, { maxItems: 100, description: 'The notes' }) }
    },
    handler: async (request) =>
      app.db
        .select(columns)
        .from(notes)
        .where(eq(notes.userId, request.user.id))
        .orderBy(desc(notes.createdAt))
        .limit(100)
  })

  app.post('/', {
    config: { access: { permission: 'notes:write' } },
    schema: {
      operationId: 'writeNote',
      summary: 'Write a note',
      description: 'Stores a note of the signed-in user.',
      body: closed({ text: text(500, { minLength: 1, description: 'At most 500 characters' }) }),
      response: { 201: { ...Note, description: 'The new note' } }
    },
    handler: async (request) => {
      const values = { userId: request.user.id, text: request.body.text }
      const [note] = await transaction(app.db, (tx) =>
        tx.insert(notes).values(values).returning(columns)
      )
      return note
    }
  })
}) satisfies FastifyPluginAsyncTypebox
