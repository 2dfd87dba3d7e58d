import { Option } from 'commander'
import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { createEnrolmentLink, createResetLink } from '../domain/administration/operator-links.ts'
import { hours } from '../domain/mail/enqueue.ts'
import { linkTo } from '../domain/mail/composer.ts'
import { withUser, whoHelp } from './user-argument.ts'
import { asData, example, numberUpTo } from './options.ts'
import type { Json } from './options.ts'
import { printJson, say, write } from './output.ts'

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

const commands = [
  {
    name: 'reset-link',
    what: 'print a link with which the user sets a new password; needs no mail server',
    page: 'reset',
    create: createResetLink
  },
  {
    name: 'enrolment-link',
    what:
      'print a link with which the user sets up their first second factor, when a role requires ' +
      'one; needs no mail server',
    page: 'enrol',
    create: createEnrolmentLink
  }
] as const

export function addLinks(user: Command) {
  for (const { name, what, page, create } of commands) {
    const link = asData(user.command(name).description(what).argument('<user>', whoHelp)).addOption(
      new Option('--hours <count>', 'how long the link is valid, up to 72')
        .argParser(numberUpTo(72))
        .default(24)
    )
    example(
      link,
      `portal user ${name} ada@example.com`,
      `portal user ${name} ada@example.com --hours 1`
    )
    link.action((who: string, given: Json & { hours: number }) =>
      withUser(who, async ({ db, actor, config }, userId) => {
        const created = await create(db, actor, { userId, expiresIn: hours(given.hours) })
        if (given.json) await printJson(linkData(created, config, page))
        else await printLink(created, config, page)
      })
    )
  }
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

/** On a line of its own, because a table may wrap it. */
export async function printLink(link: Link, config: Config, page: Page = 'reset') {
  const { url, token, expiresAt } = linkData(link, config, page)
  const { name, use } = pages[page]
  if (url === null) say('ACCOUNT_URL is not set, so this is only the token of the link:')
  await write(`${url ?? token}\n`)
  const time = expiresAt.toISOString().replace(/\.\d+/, '')
  say(`Valid until ${time}, and not shown again. ${use}: give it to that user only.`)
  if (url === null) say(`Set ACCOUNT_URL to get a link to the page ${name}.`)
}
