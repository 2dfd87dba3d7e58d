import { signal } from '@preact/signals'
import { bearer } from '../../shared/bearer.ts'
import { ok, portal } from '../../shared/client.ts'
import { Mistake } from '../../shared/problem.tsx'
import { forgetOpened, readSession, setUser } from '../../shared/session.ts'
import { facts } from './facts.ts'

/** Names the token in the storage of this tab, which other ports cannot read, unlike cookies. */
const place = 'portal-console'

/** Ends the process of an operator's console. */
export async function endConsole() {
  await ok(portal.DELETE('/api/console/session'))
  sessionStorage.removeItem(place)
  forgetOpened()
  setUser(null)
}

/** Why the link of the address did not work. */
export const linkFailure = signal<unknown>(undefined)

const linkOf = (hash: string) => /^#start=([\w-]{43})$/.exec(hash)?.[1]

// Before anything else runs: the link must not stay in the address or in the history.
let given = linkOf(location.hash)

if (given !== undefined) history.replaceState(null, '', location.pathname + location.search)

Object.assign(bearer, { isUsed: true, token: sessionStorage.getItem(place) ?? undefined })

/** Exchanges the secret of a link for the token of this page. */
async function exchange(link: string) {
  const { token } = await ok(portal.POST('/api/console/session', { body: { link } }))
  sessionStorage.setItem(place, token)
  bearer.token = token
}

/** With the link of the address, or with the token that this tab has. */
export async function readOperator() {
  const link = given
  given = undefined
  if (link !== undefined) {
    await exchange(link).catch((error: unknown) => {
      linkFailure.value = error
    })
  }
  if (bearer.token === undefined) setUser(null)
  else await readConsole()
}

async function readConsole() {
  facts.value = await ok(portal.GET('/api/console/session'))
  await readSession()
}

/** With a link that was pasted. What the page shows, and what was typed, stays. */
export async function connect(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const link = url && linkOf(url.hash)
  if (link === undefined) throw new Mistake('Paste the whole link that the terminal printed.')
  if (url?.origin !== location.origin) {
    throw new Mistake(
      `This link is for ${url?.origin}, and this page is at ${location.origin}. Open it in a new ` +
        'tab; what you have typed stays here.'
    )
  }
  await exchange(link)
  await readConsole()
  linkFailure.value = undefined
}

/** The command that starts this console again, at the same port, so that this page can go on. */
export const startWords = () =>
  `portal console ${facts.value?.canWrite ? '--write ' : ''}--port ${location.port}`
