import { createAdmin, createUser, inviteUser } from '../domain/administration/users.ts'
import { NewUser } from '../schemas/users.ts'
import { command, group } from './command.ts'
import { UsageError } from './errors.ts'
import { linkData, printLink } from './links.ts'
import type { Json } from './options.ts'
import { printJson, say } from './output.ts'
import { checkPassword, withPortal } from './portal.ts'
import { checked, readPassword } from './terminal.ts'
import { passwordOption, shown, showUser } from './user-argument.ts'

interface Account extends Json {
  email: string
  name: string
  emailVerified?: true | undefined
  passwordFile?: string
}

const email = ['--email <address>', 'e-mail address to sign in with', { required: true }] as const

export const createUserCommand = command({
  what: 'create a user with the role user',
  options: [
    email,
    ['--name <name>', 'display name', { required: true }],
    passwordOption,
    ['--no-password', 'create the user without a password; they cannot sign in until one is set'],
    [
      '--send-link',
      'send a link with which the user chooses a password; without a mail server, print it',
      { conflicts: 'passwordFile' }
    ],
    ['--print', 'with --send-link: print the link instead of sending it'],
    ['--email-verified', 'the e-mail address counts as confirmed']
  ],
  examples: [
    '--email ada@example.com --name "Ada Lovelace"',
    '--email ada@example.com --name "Ada Lovelace" --send-link'
  ],
  async run({ password, sendLink, print, ...account }) {
    if (print && !sendLink) throw new UsageError('--print needs --send-link.')
    await (sendLink ? invite(account, !print) : createWith(createUser, account, password))
  }
})

export const adminCommands = group({
  what: 'administrators',
  examples: ['portal admin create --email ops@example.com'],
  commands: {
    create: command({
      what: 'create an administrator, whose e-mail address counts as confirmed',
      options: [
        email,
        ['--name <name>', 'display name', { default: 'Administrator' }],
        passwordOption
      ],
      examples: [
        '--email ops@example.com',
        'pwgen 20 1 | portal admin create --email ops@example.com --password-file -'
      ],
      run: async (account) => createWith(createAdmin, account)
    })
  }
})

async function createWith(
  create: typeof createAdmin,
  { passwordFile, json, ...account }: Account,
  withPassword = true
) {
  const check = (typed: string) => checkPassword(typed, account)
  const password = withPassword ? await readPassword(passwordFile, check) : undefined
  await withPortal(async (portal) => {
    const input = await checked(NewUser, { ...account, password })
    await showUser(await create(portal, portal.actor, input), json)
  })
}

const invite = async ({ json, passwordFile, ...account }: Account, byMail: boolean) =>
  withPortal(async (portal) => {
    const input = { ...(await checked(NewUser, account)), byMail }
    const { user, link } = await inviteUser(portal, portal.actor, input)
    if (json) {
      await printJson({ ...shown(user), ...(link && { link: linkData(link, portal.config) }) })
    } else {
      await showUser(user, json)
      if (link) await printLink(link, portal.config)
    }
    if (!link) say('The link will be sent to the user as soon as a server is running.')
  })
