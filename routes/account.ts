import type { FastifyPluginAsync } from 'fastify'
import { hashedName, logoFile } from '../src/config/account-pages.ts'
import { en } from '../src/common/words/account-en.ts'
import { acceptedLocale, loadTexts, pageTexts } from '../src/domain/mail/texts.ts'
import { accentStyle } from '../src/http/pages/accent.ts'
import { addBrowserPage, sessionPaths } from '../src/http/pages/browser-pages.ts'
import { bundleOf } from '../src/http/pages/bundles.ts'
import type { Assets } from '../src/http/pages/bundles.ts'
import { returnTarget } from '../src/http/pages/return-target.ts'

/** The account pages, unless the app has its own. */
export default (async (app) => {
  const { ACCOUNT_PAGES, ACCOUNT_ACCENT, MAIL_TEXTS, PRODUCT_NAME } = app.config
  if (ACCOUNT_PAGES === 'off') return
  const load = bundleOf('account')
  if (!load) throw new Error('The account pages are not built. Run: npm run build')

  const own = new Map<string, Buffer>()
  const add = (name: string, type: string, content: Buffer) => {
    const file = hashedName(name, type, content)
    own.set(file, content)
    return file
  }
  if (ACCOUNT_ACCENT !== undefined) {
    add('accent', 'css', Buffer.from(accentStyle(ACCOUNT_ACCENT)))
  }
  const logo = logoFile(app.config)
  if (logo) own.set(logo.name, logo.content)

  const texts = loadTexts(MAIL_TEXTS)
  /** The file of each language. The script itself has the English texts. */
  const languages = new Map(
    [...texts].map(([tag, dictionary]) => {
      const content = JSON.stringify(pageTexts(dictionary))
      const isBuiltIn = content === JSON.stringify(en)
      return [
        tag,
        isBuiltIn ? null : `/account/assets/${add(`texts-${tag}`, 'json', Buffer.from(content))}`
      ]
    })
  )

  let kept: { built: Assets; all: Assets } | undefined
  addBrowserPage(app, {
    path: '/account',
    title: PRODUCT_NAME,
    async load() {
      const built = await load()
      // The style sheets after that of the bundle take precedence.
      if (kept?.built !== built) kept = { built, all: new Map([...built, ...own]) }
      return kept.all
    },
    reads(request) {
      const tag = acceptedLocale(texts, request.headers['accept-language']) ?? 'en'
      const file = languages.get(tag)
      return file ? [...sessionPaths, file] : sessionPaths
    },
    settingsFor: ({ query }) => ({
      product: PRODUCT_NAME,
      logo: logo ? `/account/assets/${logo.name}` : null,
      languages: Object.fromEntries(languages),
      keepsSettings: Object.keys(app.settings?.user.schema.properties ?? {}).length > 0,
      returnTo: returnTarget((query as Record<string, unknown>).return, app.config)
    })
  })
}) satisfies FastifyPluginAsync
