import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { isFromHere, mailNotShown } from '../src/http/guard.ts'
import { declarePages } from '../src/http/pages/browser-pages.ts'
import {
  findDevMail,
  mailHtmlPolicy,
  mailListPage,
  mailPage,
  mailPagePolicy,
  shownKinds,
  renderDevMails
} from '../src/http/pages/dev-mailbox.ts'
import { closed, Id, oneOf, text } from '../src/schemas/primitives.ts'

const params = closed({ id: Id('Mail id') })

/**
 * The mail that a development server without a mail server has caught. It has the links that
 * recover accounts, and no session is needed to read it: so it is shown on this machine only.
 * Production does not load this file.
 */
export default (async (app) => {
  if (app.config.MAIL_URL !== undefined) return
  const kinds = shownKinds(app.ownApp?.definition.mails)
  /** The form of the list sends these; links may carry more. */
  const querystring = Type.Object({
    q: Type.Optional(text(254)),
    kind: Type.Optional(oneOf(kinds))
  })
  declarePages(app)
  app.addHook('onRequest', function rejectOtherMachines({ raw }, _reply, done) {
    done(isFromHere(raw) ? undefined : mailNotShown())
  })

  app.get('/mail', { schema: { querystring } }, async (request, reply) => {
    const search = { q: request.query.q || undefined, kind: request.query.kind || undefined }
    const found = await renderDevMails(app.context, app.mailSettings, search)
    return reply
      .header('content-security-policy', mailPagePolicy)
      .type('text/html; charset=utf-8')
      .send(mailListPage(found, search, kinds))
  })

  app.get('/mail/:id', { schema: { params } }, async (request, reply) =>
    reply
      .header('content-security-policy', mailPagePolicy)
      .type('text/html; charset=utf-8')
      .send(mailPage(await findDevMail(app.context, app.mailSettings, request.params.id)))
  )

  app.get('/mail/:id/html', { schema: { params } }, async (request, reply) => {
    const { html } = await findDevMail(app.context, app.mailSettings, request.params.id)
    return reply
      .header('content-security-policy', mailHtmlPolicy)
      .header('x-frame-options', 'SAMEORIGIN')
      .type('text/html; charset=utf-8')
      .send(html)
  })
}) satisfies FastifyPluginAsyncTypebox
