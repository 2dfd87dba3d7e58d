import { Option } from 'commander'
import type { Command } from 'commander'
import { apiKeyDays } from '../../db/schema/services.ts'
import type { apiKeySorts } from '../../db/schema/services.ts'
import { listKeys } from '../domain/keys/keys.ts'
import { createServiceKey } from '../domain/services/new-keys.ts'
import { revokeKey, revokeKeysOf } from '../domain/services/revocation.ts'
import { findService } from '../domain/services/services.ts'
import { findUserId } from '../domain/users/users.ts'
import { NewApiKey } from '../schemas/keys.ts'
import { UsageError } from './errors.ts'
import { printList } from './list.ts'
import { asData, asList, collect, example, numberUpTo } from './options.ts'
import type { Json, ListOptions } from './options.ts'
import { printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { checked, requireId } from './terminal.ts'

interface OfOwner {
  user?: string
  service?: string
}

export function addKeyCommands(program: Command) {
  const key = program.command('key').description('API keys of users and services')
  example(
    key,
    'portal key list --expiring 14',
    'portal key create --service reporting --days 90 > /etc/reporting/key'
  )
  addList(key)
  addCreate(key)
  addRevoke(key)
}

function addList(key: Command) {
  const list = asList(key.command('list').description('list API keys, without the secrets'), [
    '-createdAt'
  ])
    .option('--user <user>', 'only keys of this user: id or e-mail address')
    .option('--service <key>', 'only keys of this service')
    .addOption(
      new Option(
        '--expiring <days>',
        'only active keys that expire within this many days'
      ).argParser(numberUpTo(apiKeyDays.most))
    )
  example(list, 'portal key list --service reporting', 'portal key list --expiring 14')
  type Options = OfOwner & { expiring?: number } & ListOptions<(typeof apiKeySorts)[number]>
  list.action(async ({ user, service, expiring, ...options }: Options) =>
    withPortal(async ({ db }) => {
      const owner = await ownerOf(db, { ...(user && { user }), ...(service && { service }) })
      await printList(options, (window) => listKeys(db, { ...window, owner, expiring }), [
        ['owner', (row) => row.owner.label],
        'name',
        ['ends', (row) => `…${row.lastFour}`],
        'state',
        'expiresAt',
        'lastUsedAt',
        'id'
      ])
    })
  )
}

async function ownerOf(db: Portal['db'], { user, service }: OfOwner) {
  if (user !== undefined && service !== undefined) {
    throw new UsageError('Specify either --user or --service.')
  }
  if (user !== undefined) return { type: 'user', id: await findUserId(db, user) } as const
  if (service === undefined) return undefined
  return { type: 'service', id: (await findService(db, service)).id } as const
}

function addCreate(key: Command) {
  const create = asData(
    key
      .command('create')
      .description('create an API key of a service, and print it alone on stdout')
  )
    .requiredOption('--service <key>', 'key of the service')
    .option('--name <name>', 'what the key is for', 'Created by portal key create')
    .addOption(
      new Option('--days <days>', 'number of days after which it expires')
        .argParser(numberUpTo(apiKeyDays.most))
        .default(apiKeyDays.default)
    )
    .option('--permission <key>', 'limit the key to this permission; may be repeated', collect)
    .option('--network <network>', 'limit the key to this network; may be repeated', collect)
  example(
    create,
    'portal key create --service reporting --days 90 > /etc/reporting/key',
    'portal key create --service reporting --permission invoices:read --network 192.0.2.0/24'
  )
  type Options = Json & {
    service: string
    name: string
    days: number
    permission?: string[]
    network?: string[]
  }
  create.action(async ({ service, json, permission, network, ...rest }: Options) =>
    withPortal(async ({ db, actor }) => {
      const input = await checked(NewApiKey, {
        ...rest,
        permissions: permission,
        networks: network
      })
      const { secret, ...created } = await createServiceKey(db, actor, { service, ...input })
      if (json) return printJson({ ...created, secret })
      say(
        `The key ${created.id} of the service ${service} expires at ` +
          `${created.expiresAt.toISOString()}. It is shown only now:`
      )
      await write(`${secret}\n`)
    })
  )
}

function addRevoke(key: Command) {
  const revoke = asData(
    key
      .command('revoke')
      .description('revoke an API key, or all of a user')
      .argument('[id]', 'id of the key')
  ).option('--user <user>', 'all keys of this user: id or e-mail address')
  example(
    revoke,
    'portal key revoke 0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e',
    'portal key revoke --user ada@example.com'
  )
  revoke.action(async (id: string | undefined, { json, user }: Json & { user?: string }) => {
    if ((id === undefined) === (user === undefined)) {
      throw new UsageError('Specify either the id of a key or --user.')
    }
    if (id !== undefined) requireId(id, 'The id of a key', 'portal key list')
    await withPortal(async ({ db, actor }) => {
      if (id === undefined) {
        const userId = await findUserId(db, user ?? '')
        const revoked = await revokeKeysOf(db, actor, { userId })
        say(`Revoked ${revoked} key(s).`)
        if (json) await printJson({ revoked })
        return
      }
      await revokeKey(db, actor, { id })
      say('Revoked.')
      if (json) await printJson({ revoked: id })
    })
  })
}
