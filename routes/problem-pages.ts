import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { rateLimited } from '../src/domain/errors.ts'
import { escapeHtml } from '../src/domain/texts.ts'
import { problemType } from '../src/domain/vocabulary.ts'
import type { OwnProblem } from '../src/domain/vocabulary.ts'
import { htmlPage, pagePolicy } from '../src/html.ts'
import { declarePages } from '../src/http/pages/browser-pages.ts'
import { problems } from '../src/problems/list.ts'
import type { ProblemCode } from '../src/problems/list.ts'
import type { ProblemType } from '../src/problems/problem-type.ts'
import { ProblemCodes } from '../src/schemas/problem.ts'
import { closed, ref } from '../src/schemas/primitives.ts'

/**
 * The pages to which `type` in a problem document links, for developers. Production does not load
 * this file.
 */
export default (async (app) => {
  declarePages(app)
  const all: Record<string, ProblemType> = { ...problems, ...app.ownApp?.definition.problems }
  const site = { at: '/problems', hasMail: app.config.MAIL_URL === undefined } as const
  app.addHook('onSend', async function allowStyles(_request, reply) {
    if (reply.statusCode === 200) reply.header('content-security-policy', pagePolicy)
  })

  app.get('/problems', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(htmlPage('Problem codes', listOf(all), site))
  )

  app.get(
    '/problems/:code',
    { schema: { params: closed({ code: ref(ProblemCodes) }) }, attachValidation: true },
    async (request, reply) => {
      if (request.validationError) return reply.notFound()
      const { code } = request.params
      const { status, title, detail, hint = '' } = problemType(code)
      const facts = `${status} <code>${code}</code>`
      const body = `<p class="second">${facts}</p>
<p>${escapeHtml(detail)}</p>
${hint && `<p>${escapeHtml(hint).replaceAll(/`(.+?)`/g, '<code>$1</code>')}.</p>`}
<h2>Example</h2>
<pre>${escapeHtml(JSON.stringify(exampleOf(code), null, 2))}</pre>`
      const list = { href: '/problems', name: 'All codes' } as const
      return reply.type('text/html; charset=utf-8').send(htmlPage(title, body, { ...site, list }))
    }
  )
}) satisfies FastifyPluginAsyncTypebox

function listOf(list: Record<string, ProblemType>) {
  const items = Object.entries(list)
    .sort()
    .map(
      ([code, { status, title }]) =>
        `<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td>` +
        `<td>${escapeHtml(title)}</td></tr>`
    )
  const note = `The ${items.length} values of <code>code</code> in the errors of the API.`
  return `<p class="second">${note}</p>
<table>
<thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead>
<tbody>
${items.join('\n')}
</tbody>
</table>`
}

/** The body of a response, without what only some operations add. */
function exampleOf(code: ProblemCode | OwnProblem) {
  const { status, title, detail: general } = problemType(code)
  const detail = code === 'rate-limited' ? rateLimited(30).message : general
  const instance = 'urn:uuid:01900000-0000-7000-8000-000000000000'
  return { type: `/problems/${code}`, title, status, code, detail, instance }
}
