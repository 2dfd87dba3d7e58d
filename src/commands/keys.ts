import type { Db } from '../../db/engine.ts'
import { apiKeyDays, apiKeySorts } from '../../db/schema/services.ts'
import { listKeys } from '../domain/keys/keys.ts'
import { createServiceKey } from '../domain/services/key-creation.ts'
import { revokeKey, revokeKeysOf } from '../domain/services/key-revocation.ts'
import { findService } from '../domain/services/services.ts'
import { findUserId } from '../domain/users/users.ts'
import { NewApiKey } from '../schemas/keys.ts'
import { command, group, inPortal, list } from './command.ts'
import { UsageError } from './errors.ts'
import { count, countOr, repeated, requireOne } from './options.ts'
import { done, printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import { checked, requireId } from './terminal.ts'

const { most } = apiKeyDays

interface OfOwner {
  user?: string
  service?: string
}

async function ownerOf(db: Db, { user, service }: OfOwner) {
  if (user !== undefined && service !== undefined) {
    throw new UsageError('Specify either --user or --service.')
  }
  if (user !== undefined) return { type: 'user', id: await findUserId(db, user) } as const
  if (service === undefined) return undefined
  return { type: 'service', id: (await findService(db, service)).id } as const
}

export const keyCommands = group({
  what: 'API keys of users and services',
  examples: [
    'portal key list --expiring 14',
    'portal key create --service reporting --days 90 > /etc/reporting/key'
  ],
  commands: {
    list: list({
      what: 'list API keys, without the secrets',
      options: [
        ['--user <user>', 'only keys of this user: id or e-mail address'],
        ['--service <key>', 'only keys of this service'],
        count('--expiring <days>', 'only active keys that expire within this many days', most)
      ],
      examples: ['--service reporting', '--expiring 14'],
      sorts: apiKeySorts,
      newestFirst: true,
      rows: async ({ db }, window, { expiring, ...given }) =>
        listKeys(db, { ...window, owner: await ownerOf(db, given), expiring }),
      columns: [
        ['owner', (row) => row.owner.label],
        'name',
        ['ends', (row) => `…${row.lastFour}`],
        'state',
        'expiresAt',
        'lastUsedAt',
        'id'
      ]
    }),
    create: command({
      what: 'create an API key of a service, and print it alone on stdout',
      options: [
        ['--service <key>', 'key of the service', { required: true }],
        ['--name <name>', 'what the key is for', { default: 'Created by portal key create' }],
        countOr('--days <days>', 'number of days after which it expires', most, apiKeyDays.default),
        repeated('--permission <key>', 'limit the key to this permission; may be repeated'),
        repeated('--network <network>', 'limit the key to this network; may be repeated')
      ],
      examples: [
        '--service reporting --days 90 > /etc/reporting/key',
        '--service reporting --permission invoices:read --network 192.0.2.0/24'
      ],
      run: inPortal(async ({ db, actor }, given) => {
        const { service, json, permission: permissions, network: networks, ...rest } = given
        const input = await checked(NewApiKey, { ...rest, permissions, networks })
        const { secret, ...created } = await createServiceKey(db, actor, { service, ...input })
        if (json) return printJson({ ...created, secret })
        say(
          `The key ${created.id} of the service ${service} expires at ` +
            `${created.expiresAt.toISOString()}. It is shown only now:`
        )
        await write(`${secret}\n`)
      })
    }),
    'revoke [id]': command({
      what: 'revoke an API key, or all of a user',
      args: { id: 'id of the key' },
      options: [['--user <user>', 'all keys of this user: id or e-mail address']],
      examples: ['0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e', '--user ada@example.com'],
      async run({ json, user }, id?: string) {
        requireOne('either the id of a key or --user', id, user)
        if (id !== undefined) requireId(id, 'The id of a key', 'portal key list')
        await withPortal(async ({ db, actor }) => {
          if (id === undefined) {
            const userId = await findUserId(db, user ?? '')
            const revoked = await revokeKeysOf(db, actor, { userId })
            await done(`Revoked ${revoked} key(s).`, json, { revoked })
          } else {
            await revokeKey(db, actor, { id })
            await done('Revoked.', json, { revoked: id })
          }
        })
      }
    })
  }
})
