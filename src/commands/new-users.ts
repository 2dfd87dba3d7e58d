import { Option } from 'commander'
import type { Command } from 'commander'
import { createAdmin, createUser, inviteUser } from '../domain/administration/creation.ts'
import { NewUser } from '../schemas/users.ts'
import { UsageError } from './errors.ts'
import { linkData, printLink } from './links.ts'
import { passwordHelp, shown, showUser } from './user-argument.ts'
import { asData, example } from './options.ts'
import type { Json } from './options.ts'
import { printJson, say } from './output.ts'
import { checkPassword, withPortal } from './portal.ts'
import { checked, readPassword } from './terminal.ts'

interface Account {
  email: string
  name: string
  emailVerified?: true | undefined
}

interface UserOptions extends Json, Account {
  passwordFile?: string
  password: boolean
  sendLink?: true
  print?: true
}

export function addCreate(user: Command) {
  const create = asData(user.command('create').description('create a user with the role user'))
    .requiredOption('--email <address>', 'e-mail address to sign in with')
    .requiredOption('--name <name>', 'display name')
    .option('--password-file <file>', passwordHelp)
    .option(
      '--no-password',
      'create the user without a password; they cannot sign in until one is set'
    )
    .addOption(
      new Option(
        '--send-link',
        'send a link with which the user chooses a password; without a mail server, print it'
      ).conflicts('passwordFile')
    )
    .option('--print', 'with --send-link: print the link instead of sending it')
    .option('--email-verified', 'the e-mail address counts as confirmed')
  example(
    create,
    'portal user create --email ada@example.com --name "Ada Lovelace"',
    'portal user create --email ada@example.com --name "Ada Lovelace" --send-link'
  )
  create.action(async (options: UserOptions) => {
    if (options.print && !options.sendLink) throw new UsageError('--print needs --send-link.')
    await (options.sendLink ? invite(options) : createWithPassword(options))
  })
}

async function createWithPassword({
  passwordFile,
  password: wanted,
  json,
  ...account
}: UserOptions) {
  const check = (typed: string) => checkPassword(typed, account)
  const password = wanted ? await readPassword(passwordFile, check) : undefined
  await withPortal(async (portal) => {
    const input = await checked(NewUser, { ...account, password })
    await showUser(await createUser(portal, portal.actor, input), json)
  })
}

const invite = ({ email, name, emailVerified, print, json }: UserOptions) =>
  withPortal(async (portal) => {
    const input = { ...(await checked(NewUser, { email, name, emailVerified })), byMail: !print }
    const { user, link } = await inviteUser(portal, portal.actor, input)
    if (json) {
      await printJson({ ...shown(user), ...(link && { link: linkData(link, portal.config) }) })
    } else {
      await showUser(user, json)
      if (link) await printLink(link, portal.config)
    }
    if (!link) say('The link will be sent to the user as soon as a server is running.')
  })

export function addAdminCommands(program: Command) {
  type Options = Json & Account & { passwordFile?: string }
  const admin = program.command('admin').description('administrators')
  example(admin, 'portal admin create --email ops@example.com')
  const create = asData(
    admin
      .command('create')
      .description('create an administrator, whose e-mail address counts as confirmed')
  )
    .requiredOption('--email <address>', 'e-mail address to sign in with')
    .option('--name <name>', 'display name', 'Administrator')
    .option('--password-file <file>', passwordHelp)
  example(
    create,
    'portal admin create --email ops@example.com',
    'pwgen 20 1 | portal admin create --email ops@example.com --password-file -'
  )
  create.action(async ({ passwordFile, json, ...account }: Options) => {
    const check = (typed: string) => checkPassword(typed, account)
    const password = await readPassword(passwordFile, check)
    await withPortal(async (portal) => {
      const input = await checked(NewUser, { ...account, password })
      await showUser(await createAdmin(portal, portal.actor, input), json)
    })
  })
}
