import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { admitExport, exportData } from '../../../src/domain/accounts/data-export.ts'
import { createProcessBudget } from '../../../src/domain/throttling/budgets.ts'
import { sendExport } from '../../../src/http/data-export.ts'
import { DataExport } from '../../../src/schemas/data-export.ts'
import { headers, ref } from '../../../src/schemas/primitives.ts'
import { problem, tooMany } from '../../../src/schemas/problem.ts'

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
      reply.header('content-disposition', 'attachment; filename="account.json"')
      return sendExport(reply as never, exportData(app.context, self))
    }
  })
}) satisfies FastifyPluginAsyncTypebox
