import { Option } from 'commander'
import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import { createResetLink } from '../domain/accounts/reset-links.ts'
import type { ResetLink } from '../domain/accounts/reset-links.ts'
import { hours } from '../domain/mail/sending.ts'
import { linkTo } from '../mail/writer.ts'
import { onUser, whoHelp } from './one-user.ts'
import { asData, example, numberUpTo } from './options.ts'
import type { Json } from './options.ts'
import { printJson, say, write } from './output.ts'

export function addResetLink(user: Command) {
  const link = asData(
    user
      .command('reset-link')
      .description('print a link with which the user sets a new password; needs no mail server')
      .argument('<user>', whoHelp)
  ).addOption(
    new Option('--hours <count>', 'how long the link is valid, up to 72')
      .argParser(numberUpTo(72))
      .default(24)
  )
  example(
    link,
    'portal user reset-link ada@example.com',
    'portal user reset-link ada@example.com --hours 1'
  )
  link.action((who: string, given: Json & { hours: number }) =>
    onUser(who, async ({ db, actor, config }, userId) => {
      const expiresIn = hours(given.hours)
      const created = await createResetLink(db, actor, { userId, expiresIn })
      if (given.json) await printJson(linkData(created, config))
      else await printLink(created, config)
    })
  )
}

/** Without ACCOUNT_URL, nothing says where the app has its page. */
export const linkData = ({ token, expiresAt }: ResetLink, { ACCOUNT_URL }: Config) => ({
  url: ACCOUNT_URL === undefined ? null : linkTo(ACCOUNT_URL, 'reset', token),
  token,
  expiresAt
})

/** Alone on its line, because a table may wrap it. */
export async function printLink(link: ResetLink, config: Config) {
  const { url, token, expiresAt } = linkData(link, config)
  if (url === null) say('ACCOUNT_URL is not set, so this is only the token of the link:')
  await write(`${url ?? token}\n`)
  const time = expiresAt.toISOString().replace(/\.\d+/, '')
  say(`Valid until ${time}, and not shown again. It sets the password: give it to its owner only.`)
  if (url === null) say('Set ACCOUNT_URL to get a link to the page for a new password.')
}
