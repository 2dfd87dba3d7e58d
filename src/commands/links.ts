import type { Config } from '../config/config.ts'
import { createEnrolmentLink, createResetLink } from '../domain/administration/operator-links.ts'
import { linkTo } from '../domain/mail/composer.ts'
import { hours } from '../domain/tokens/lifetimes.ts'
import { command } from './command.ts'
import { countOr } from './options.ts'
import { printJson, say, timeText, write } from './output.ts'
import { ofUser } from './user-argument.ts'

interface Link {
  token: string
  expiresAt: Date
}

/** The pages of the app that links lead to, and what their tokens do. */
const pages = {
  reset: { name: 'for a new password', use: 'It sets the password' },
  enrol: { name: 'for a second factor', use: 'It lets the user set up the first second factor' }
} as const
type Page = keyof typeof pages

const link = (page: Page, create: typeof createResetLink, what: string) =>
  command({
    what,
    options: [countOr('--hours <count>', 'how long the link is valid, up to 72', 72, 24)],
    examples: ['ada@example.com', 'ada@example.com --hours 1'],
    run: ofUser(async ({ db, actor, config }, userId, given) => {
      const created = await create(db, actor, { userId, expiresIn: hours(given.hours) })
      if (given.json) await printJson(linkData(created, config, page))
      else await printLink(created, config, page)
    })
  })

export const linkCommands = {
  'reset-link <user>': link(
    'reset',
    createResetLink,
    'print a link with which the user sets a new password; needs no mail server'
  ),
  'enrolment-link <user>': link(
    'enrol',
    createEnrolmentLink,
    'print a link with which the user sets up their first second factor, when a role requires ' +
      'one; needs no mail server'
  )
}

/** Without ACCOUNT_URL, the portal does not know the address of the app's page. */
export const linkData = (
  { token, expiresAt }: Link,
  { ACCOUNT_URL }: Config,
  page: Page = 'reset'
) => ({
  url: ACCOUNT_URL === undefined ? null : linkTo(ACCOUNT_URL, page, { token }),
  token,
  expiresAt
})

/** Prints the address on a line of its own, because a table may wrap it. */
export async function printLink(link: Link, config: Config, page: Page = 'reset') {
  const { url, token, expiresAt } = linkData(link, config, page)
  const { name, use } = pages[page]
  if (url === null) say('ACCOUNT_URL is not set, so this is only the token of the link:')
  await write(`${url ?? token}\n`)
  say(`Valid until ${timeText(expiresAt)}, and not shown again. ${use}: give it to that user only.`)
  if (url === null) say(`Set ACCOUNT_URL to get a link to the page ${name}.`)
}
