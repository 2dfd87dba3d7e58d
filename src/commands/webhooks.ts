import type { Db } from '../../db/engine.ts'
import { deliverySorts, deliveryStates, endpointSorts } from '../../db/schema/webhooks.ts'
import type { EndpointRow } from '../../db/schema/webhooks.ts'
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  renewSecret,
  testEndpoint,
  updateEndpoint
} from '../domain/webhooks/endpoints.ts'
import { examineEndpoints, findDelivery, listDeliveries, resend } from '../domain/webhooks/list.ts'
import { NewWebhook, WebhookPatch } from '../schemas/webhooks.ts'
import { time } from './activity-options.ts'
import { appOption, loadGivenApp } from './app.ts'
import { command, group, inPortal, list, printItem, prints, removal, show } from './command.ts'
import { OutsideError } from './errors.ts'
import { ok, warning } from './findings.ts'
import { unversioned } from './list.ts'
import { requireOne } from './options.ts'
import { done, say, timeText, write } from './output.ts'
import { checked, requireId } from './terminal.ts'

const exampleId = '0199b0a2-7c1e-7d3a-8f52-3b1f6a9c0d4e'
const idOf = (what: string, command: string) => (text: string) => {
  requireId(text, `The id of a ${what}`, command)
  return text
}
const args = { id: ['id of the webhook', idOf('webhook', 'portal webhook list')] } as const
const ofWebhook = { args, examples: [exampleId] }
const ofDelivery = {
  ...args,
  delivery: ['id of the delivery', idOf('delivery', 'portal webhook deliveries ID')]
} as const
const events = (list: string | undefined) => list?.split(',').map((each) => each.trim())

const withState = (state: EndpointRow['state'], what: string) =>
  command({
    ...{ what, ...ofWebhook },
    run: prints((portal, _, id) => updateEndpoint(portal, portal.actor, { id, changes: { state } }))
  })

/** The functions of the app have no URL. */
const urlOf = ({ url }: Pick<EndpointRow, 'url'>) => url ?? 'the app'

/** Prints a secret alone on stdout, for a file. */
async function printSecret(made: { id: string; secret: string; version: number }, json?: boolean) {
  if (json) return printItem(made, json)
  say(`The secret of the webhook ${made.id} is shown only now:`)
  await write(`${made.secret}\n`)
}

export const webhookCommands = group({
  what: 'webhooks: where events are sent, which are activity records',
  examples: [
    "portal webhook create https://crm.example.com/hooks --events 'user.*,auth.register'",
    `portal webhook deliveries ${exampleId} --state dead`
  ],
  commands: {
    list: list({
      what: 'list webhooks',
      sorts: endpointSorts,
      rows: async ({ db }, window) => unversioned(await listEndpoints(db, window)),
      columns: ['id', ['url', (row) => urlOf(row)], 'events', 'state', 'failingSince', 'waiting']
    }),
    'show <id>': show({ what: 'show a webhook', ...ofWebhook, find: findEndpoint }),
    'create <url>': command({
      what: 'create a webhook, and print its secret alone on stdout',
      args: { url: 'where events are sent, with https' },
      options: [
        [
          '--events <patterns>',
          'actions, or beginnings of some, separated by commas; see portal activity actions',
          { required: true }
        ],
        appOption
      ],
      examples: ["https://crm.example.com/hooks --events 'user.*,auth.register' > /etc/crm/secret"],
      run: inPortal(async (portal, given, url) => {
        await loadGivenApp() // which makes its actions known
        const input = await checked(NewWebhook, { url, events: events(given.events) })
        await printSecret(await createEndpoint(portal, portal.actor, input), given.json)
      })
    }),
    'update <id>': command({
      what: 'change the URL or the events of a webhook',
      args,
      options: [
        ['--url <url>', 'where events are sent, with https'],
        ['--events <patterns>', 'as for portal webhook create; these replace the ones before'],
        appOption
      ],
      examples: [`${exampleId} --events 'user.*'`],
      run: prints(async (portal, { url, events: patterns }, id) => {
        await loadGivenApp()
        const changes = await checked(WebhookPatch, { url, events: events(patterns) })
        return updateEndpoint(portal, portal.actor, { id, changes })
      })
    }),
    'pause <id>': withState('paused', 'send nothing until it is resumed; events wait for 4 days'),
    'resume <id>': withState('active', 'send again, and what waits at once'),
    'test <id>': command({
      what: 'send a test message at once, and print how that ended',
      ...ofWebhook,
      run: inPortal(async (portal, { json }, id) => {
        const { status, error } = await testEndpoint(portal, portal.actor, { id })
        if (error !== undefined) {
          throw new OutsideError('webhook-failed', `The test message was not accepted: ${error}.`)
        }
        await done(`The receiver accepted it with ${status}.`, json, { status })
      })
    }),
    'deliveries <id>': list({
      what: 'list what was sent to a webhook, and what waits',
      args,
      options: [['--state <state>', 'only deliveries in this state', { choices: deliveryStates }]],
      examples: [`${exampleId} --state dead`],
      sorts: deliverySorts,
      newestFirst: true,
      rows: async ({ db }, window, { state }, id = '') =>
        listDeliveries(db, { id, state, ...window }),
      columns: [
        'createdAt',
        'event',
        'state',
        'attempts',
        ['status', (row) => row.lastStatus],
        ['error', (row) => row.lastError],
        ['next', (row) => (row.state === 'pending' ? row.nextAt : undefined)],
        'id'
      ]
    }),
    'delivery <id> <delivery>': command({
      what: 'show a delivery with its body',
      args: ofDelivery,
      examples: [`${exampleId} ${exampleId}`],
      run: prints(({ db, actor }, _, id, delivery = '') =>
        findDelivery(db, actor, { id, delivery })
      )
    }),
    'resend <id> [delivery]': command({
      what: 'send one event again, or all that were given up since a time',
      args: ofDelivery,
      options: [
        ['--since <time>', 'the first event; 10m, 1h or 2d for that long ago', { parse: time }]
      ],
      examples: [`${exampleId} --since 2d`, `${exampleId} ${exampleId}`],
      run: inPortal(async ({ db, actor }, { since, json }, id, delivery?: string) => {
        requireOne('either the id of a delivery or --since', delivery, since)
        const count = await resend(db, actor, { id, delivery, since })
        const what = count === 1 ? '1 event' : `${count} events`
        await done(`${what} will be sent as soon as a server is running.`, json, { count })
      })
    }),
    'renew-secret <id>': command({
      what: 'print another secret alone on stdout; the one before signs as well for 24 hours',
      args,
      examples: [`${exampleId} > /etc/crm/secret`],
      run: inPortal(async (portal, { json }, id) =>
        printSecret(await renewSecret(portal, portal.actor, { id }), json)
      )
    }),
    'delete <id>': removal({
      what: 'delete a webhook and its deliveries',
      args,
      examples: [`${exampleId} --yes`],
      find: findEndpoint,
      remove: async (db, actor, { key: id }) => deleteEndpoint(db, actor, { id }),
      question: (id) => `This deletes the webhook ${id}: what waits is not sent.`
    })
  }
})

/** No finding without webhooks: few portals have some. */
export async function webhookFindings(db: Db) {
  const { endpoints, hearsDeletions } = await examineEndpoints(db)
  if (endpoints.length === 0) return undefined
  const found = endpoints.flatMap((each) => {
    const since = each.failingSince && `has failed since ${timeText(each.failingSince)}`
    if (each.state === 'paused') {
      return warning(
        `${urlOf(each)} is paused${since ? `, and ${since}` : ''}: events expire after 4 days`,
        `Correct the receiver if it failed. Then run: portal webhook resume ${each.id}`
      )
    }
    const todo = `See docs/do/runbooks/a-webhook-fails.md and portal webhook deliveries ${each.id}`
    return each.isFailing ? warning(`${urlOf(each)} ${since}`, todo) : []
  })
  const deaf = warning(
    'none gets user.delete, so a system that keeps users does not hear of deletions',
    'Add it: portal webhook update ID --events PATTERNS, with user.delete or user.*'
  )
  if (!hearsDeletions) found.push(deaf)
  return found.length > 0 ? found : ok(`${endpoints.length} active, and none fails`)
}
