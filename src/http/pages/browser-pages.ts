import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../domain/texts.ts'
import { fixedResponse } from '../fixed-response.ts'
import type { Assets } from './bundles.ts'
import { mark } from './mark.ts'

/**
 * No inline script or style, nothing from elsewhere, and no HTML from text: the one policy of
 * Trusted Types allows a worker only.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
  // A worker solves challenges: src/client/proof.ts. It can load nothing.
  'worker-src blob:'
].join('; ')

const passkeys = ['publickey-credentials-get', 'publickey-credentials-create']
/**
 * Features that a browser allows a page by default. There is no keyword that denies all of them.
 */
const unneeded = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking'
]
const pageHeaders = {
  'content-security-policy': policy,
  'permissions-policy': [
    ...passkeys.map((feature) => `${feature}=(self)`),
    ...unneeded.map((feature) => `${feature}=()`)
  ].join(', ')
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  webp: 'image/webp',
  json: 'application/json'
}
const typeOf = (file: string) => types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** By their contents, which all applications of a process share. */
const responses = new WeakMap<Buffer, ReturnType<typeof fixedResponse>>()

/** The function `readSession` of the pages reads this. */
export const sessionPaths = ['/api/auth/options', '/api/auth/session'] as const

interface BrowserPage {
  path: '/console' | '/account'
  title: string
  /** All files below `assets/`, by their names, which have a hash of the content. */
  load(): Promise<Assets>
  /** Addresses that its script reads first. The browser reads them along with the script. */
  reads(request: FastifyRequest): readonly string[]
  /** Settings for the scripts of the page. Anybody can read them. */
  settingsFor(request: FastifyRequest): object
}

/**
 * Makes the routes that are then added public, gives them the headers of pages, and keeps them out
 * of the API document.
 */
export function declarePages(app: FastifyInstance) {
  app.addHook('onRequest', function addPageHeaders(_request, reply, done) {
    reply.headers(app.pageHeaders)
    done()
  })
  app.addHook('onRoute', function declarePage(route) {
    route.config = { ...route.config, access: 'public' }
    route.schema = {
      ...route.schema,
      hide: true,
      response: { 200: { description: 'A page or one of its files' } }
    }
  })
}

/**
 * Adds the routes of a page with views, which its script shows: below its path, every address is
 * the same document. Its files are looked up by name, never on disk.
 */
export function addBrowserPage(app: FastifyInstance, page: BrowserPage) {
  declarePages(app)
  // Written once: it differs only by language, and where a sign-in leads elsewhere.
  let last: { state: string; assets: Assets; bytes: Buffer } | undefined
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const settings = JSON.stringify(page.settingsFor(request))
    const reads = page.reads(request)
    const state = settings + reads.join()
    const assets = await page.load()
    if (last?.state !== state || last.assets !== assets) {
      last = { state, assets, bytes: Buffer.from(documentOf({ ...page, settings, reads }, assets)) }
    }
    return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(last.bytes)
  }
  app.get(page.path, show)
  app.get(`${page.path}/*`, show)

  app.get<{ Params: { '*': string } }>(`${page.path}/assets/*`, async (request, reply) => {
    const file = request.params['*']
    const content = (await page.load()).get(file)
    if (content === undefined) return reply.notFound()
    const respond =
      responses.get(content) ??
      fixedResponse(content, {
        type: typeOf(file),
        cacheControl: 'public, max-age=31536000, immutable'
      })
    responses.set(content, respond)
    return respond(request, reply)
  })
}

interface Document extends Pick<BrowserPage, 'path' | 'title'> {
  settings: string
  reads: readonly string[]
}

function documentOf({ path, title, settings, reads }: Document, assets: Assets) {
  const files = [...assets.keys()].map((file) => `${path}/assets/${escapeHtml(file)}`)
  const styles = files.filter((file) => file.endsWith('.css'))
  const scripts = files.filter((file) => file.endsWith('.js') && !file.includes('/later-'))
  // The mode of the requests that the script sends, or the browser would send them twice.
  const mode = 'as="fetch" crossorigin="use-credentials"'
  const preloads = reads.map((each) => `<link rel="preload" href="${each}" ${mode}>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="settings" content="${escapeHtml(settings)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark)}">
${styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n')}
${scripts.map((file) => `<script type="module" src="${file}"></script>`).join('\n')}
${preloads.join('\n')}
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`
}
