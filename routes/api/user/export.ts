import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { admitExport, exportData } from '../../../src/domain/accounts/data-export.ts'
import { createProcessBudget } from '../../../src/domain/throttling/budgets.ts'
import { DataExport } from '../../../src/schemas/data-export.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'

/** Milliseconds after which a client that reads nothing is cut off. Node may wait twice as long. */
const patience = 30_000

export default (async (app) => {
  const budget = createProcessBudget('export', app.config.THROTTLE_EXPORT)

  app.get('/export', {
    config: { access: 'session', ownPagesOnly: true, tag: 'user', order: 195 },
    exposeHeadRoute: false, // an export is recorded, and reported by mail
    schema: {
      operationId: 'exportOwnData',
      summary: "Export the current user's data",
      description:
        'Returns a file with what the portal keeps about the signed-in user, without secrets and ' +
        'without anything that identifies other people. Requires a recent authentication. The ' +
        'export is recorded, and the user gets a mail about it.',
      response: {
        200: ref(DataExport, 'The data', headers.contentDisposition),
        403: problem('There is no recent authentication', 'reauthentication-required'),
        429: tooMany
      }
    },
    async handler(request, reply) {
      const { self } = request
      let isCounted = false
      await admitExport(app.context, self, () => {
        if (isCounted) return // the transaction is repeated
        const refusal = budget.charge(self.id, { userId: self.id })
        if (refusal) throw refusal
        isCounted = true
      })
      const text = Readable.from(exportData(app.context, self))
      reply.raw.setTimeout(patience, () => text.destroy())
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="account.json"')
        .send(text as never)
      // Its last statement goes on for a moment when the client has left.
      await new Promise((resolve) => text.once('close', resolve))
      return reply
    }
  })
}) satisfies FastifyPluginAsyncTypebox
