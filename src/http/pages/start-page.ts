import { escapeHtml } from '../../domain/texts.ts'
import { htmlPage } from '../../html.ts'
import type { ProblemDocument } from '../../schemas/problem.ts'

interface StartFacts {
  product: string
  /** Where browsers reach the portal. */
  origin: string
  firstAdmin: { email: string; passwordFile: string } | undefined
  hasAccountPages: boolean
  hasMail: boolean
  /** Whether `npm run dev -- --sample` works. */
  hasSample: boolean
}

/** The first page of a development server: where everything is, and how an app calls it. */
export function startPage(facts: StartFacts): string {
  const { product, origin, firstAdmin, hasAccountPages, hasMail, hasSample } = facts
  const password = firstAdmin
    ? ` Sign in as <code>${firstAdmin.email}</code>. Unless it was changed since, this prints the
password:</p>
<pre>cat ${escapeHtml(firstAdmin.passwordFile)}</pre>`
    : '</p>'
  const account = `<li><a href="/account">Account pages</a>
<p>What your users see: <a href="/account/register">register</a>, sign in, second factors, their
sessions and their data.${
    hasMail ? ' Mail to them is caught, and shown at <a href="/mail">/mail</a>.' : ''
  }</p></li>`
  const body = `<p class="second">Sign-in, permissions, flags and an audit trail for your app.</p>
<ul class="cards">
<li><a href="/console">Console</a>
<p>Users, roles, flags, and the audit trail.${password}</li>
${hasAccountPages ? account : ''}
<li><a href="/docs">API reference</a>
<p>Every operation, with a form that sends it. <a href="/problems">Problem codes</a> say what a
refusal means.</p></li>
</ul>
<h2>Call it from your app</h2>
<p>The app and the portal share an origin: let the server of your app forward <code>/api</code> and
<code>/account</code> to <code>${escapeHtml(origin)}</code>, as <code>server.proxy</code> of Vite
does. Then this is a whole sign-in:</p>
<pre class="code">${escapeHtml(call)}</pre>
${hasSample ? sample : ''}`
  return htmlPage(`${product}, in development`, body, { hasMail })
}

const call = `const response = await fetch('/api/auth/session')
const { user } = await response.json()
if (user) {
  document.body.append(\`Hello, \${user.name}\`)
} else {
  location.assign(\`/account/sign-in?return=\${encodeURIComponent(location.pathname)}\`)
}`

const sample = `<h2>Have something to look at</h2>
<p>This fills the database with made-up people, roles, flags and activity. With
<code>--sample off</code> they are removed again.</p>
<pre>npm run dev -- --sample</pre>`

/** A refusal for somebody who has opened an address in a browser. */
export const refusalPage = ({ title, detail, code, instance }: ProblemDocument, hasMail: boolean) =>
  htmlPage(
    title,
    `<p>${escapeHtml(detail)}</p>
<p class="second facts"><a href="/problems/${code}"><code>${code}</code></a>
<span>request <code>${instance.replace('urn:uuid:', '')}</code></span></p>
<p>Go to the <a href="/console">console</a>, the <a href="/account">account pages</a> or the
<a href="/docs">API reference</a>.</p>`,
    { hasMail }
  )
