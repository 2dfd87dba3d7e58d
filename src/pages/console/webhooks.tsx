import { Link } from 'wouter-preact'
import { ok, portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Field } from '../shared/controls.tsx'
import { Loaded, reloadAll, useGet } from '../shared/load.tsx'
import { Page } from '../shared/page.tsx'
import { Ago } from '../shared/time.tsx'
import { ActionButton, ConfirmButton, DeleteZone, ReadButton } from './action-buttons.tsx'
import { CommandLine } from './command-line.tsx'
import { wordsOf } from './flags/when-form.ts'
import { counted } from './grouped.ts'
import { newKey } from './keys/new-key.tsx'
import { actions, begun } from './list/table.tsx'
import type { Column } from './list/table.tsx'
import { useList } from './list/use-list.ts'
import { LoadedTable } from './list/paging.tsx'
import { ListView } from './list/view.tsx'
import { may } from './may.ts'
import { Empty, Facts, Gone, titleOf } from './parts.tsx'
import { change, report, reportFailure } from './shell/status.tsx'

type Webhook = Schemas['Webhook']
type Delivery = Schemas['Delivery']
interface Of {
  webhook: Webhook
}

/** The rest of a URL may have secrets. Functions of the app have none. */
const nameOf = ({ url }: Pick<Webhook, 'url'>) => (url === null ? 'The app' : new URL(url).host)
const paramsOf = ({ id }: Webhook) => ({ params: { path: { id } } })
const agoOf = (at: string | null) => at && <Ago at={at} />

function StateChip({ webhook: { state, failingSince } }: Of) {
  if (state === 'paused') return <span class="chip bad">Paused</span>
  if (failingSince !== null) return <span class="chip warn">Failing</span>
  return <span class="chip good">Active</span>
}

const columns: Column<Webhook, 'createdAt'>[] = [
  {
    title: 'Webhook',
    cell: (webhook) => <Link href={`/webhooks/${webhook.id}`}>{nameOf(webhook)}</Link>,
    below: ({ url }) => url
  },
  { title: 'State', cell: (webhook) => <StateChip webhook={webhook} />, rank: 'state' },
  { title: 'Events', cell: ({ events }) => <code>{events.join(', ')}</code> },
  { title: 'Events waiting', cell: ({ waiting }) => waiting },
  begun('Created', 'less')
]

/** Creates a webhook, or changes one. */
const Edit = ({ webhook }: Partial<Of>) => (
  <ConfirmButton
    label={webhook ? 'Edit' : 'Create a webhook'}
    action={webhook ? 'Save' : 'Create'}
    isPrimary={!webhook}
    words={[webhook ? `webhook update ${webhook.id}` : 'webhook create URL', '--events EVENTS']}
    onSubmit={({ url = '', events = '' }) => {
      const body = { url, events: wordsOf(events) }
      return webhook
        ? change(
            portal.PATCH('/api/admin/webhooks/{id}', { ...paramsOf(webhook), body }),
            'The webhook is saved.'
          )
        : keep(portal.POST('/api/admin/webhooks', { body }))
    }}
  >
    <Field
      {...{ label: 'URL', name: 'url', type: 'url', required: true, maxLength: 2000 }}
      placeholder="https://crm.example.com/hooks"
      defaultValue={webhook?.url ?? ''}
    />
    <Field
      {...{ label: 'Events', name: 'events', required: true }}
      hint="Actions such as user.create, their beginnings such as user.*, or * for all."
      defaultValue={(webhook?.events ?? ['user.*']).join(' ')}
    />
  </ConfirmButton>
)

/** Shows the secret of a webhook until somebody has stored it. */
async function keep(call: Parameters<typeof ok<Schemas['WebhookWithSecret']>>[0]) {
  const { secret, ...webhook } = await ok(call)
  newKey.value = { kind: 'secret', name: `of the webhook to ${nameOf(webhook)}`, secret }
  await reloadAll()
}

export function Webhooks() {
  const create = may('webhooks:create') && <Edit />
  return (
    <ListView
      {...useList('/api/admin/webhooks', ['sort'])}
      title="Webhooks"
      about="Where the portal sends what happens here, so that other systems know of it."
      action={create}
      columns={columns}
      orders={['createdAt', '-createdAt']}
      empty={
        <Empty
          title="There are no webhooks"
          command="portal webhook create URL --events 'user.*'"
          action={create}
        >
          A webhook sends activity records to another system, such as a CRM that keeps your users.
        </Empty>
      }
      command="webhook list"
    />
  )
}

/** A webhook with its last deliveries. */
export function Webhook({ webhook: id = '' }: Record<string, string | undefined>) {
  const loaded = useGet('/api/admin/webhooks/{id}', { path: { id } })
  const { value: webhook } = loaded
  return (
    <Page
      title={titleOf('Webhook', loaded, webhook && nameOf(webhook))}
      about={
        webhook && (
          <>
            <StateChip webhook={webhook} />
            {webhook.state === 'paused' && ' Events are kept for four days.'}
          </>
        )
      }
      action={
        webhook &&
        may('webhooks:update') && (
          <>
            {webhook.url !== null && (
              <>
                <Edit webhook={webhook} />
                <Renew webhook={webhook} />
                <Test webhook={webhook} />
              </>
            )}
            <ChangeState webhook={webhook} />
          </>
        )
      }
    >
      <Loaded from={loaded} missing={<Gone title="There is no such webhook" rest="webhooks" />}>
        {(webhook) => (
          <>
            <Facts
              of={{
                URL: webhook.url,
                Events: <code>{webhook.events.join(', ')}</code>,
                Waiting: counted(webhook.waiting, 'event'),
                'Failing since': agoOf(webhook.failingSince),
                'Both secrets sign until': agoOf(webhook.formerSecretUntil)
              }}
            />
            <Deliveries webhook={webhook} />
            {webhook.url !== null && may('webhooks:delete') && (
              <DeleteZone
                noun="webhook"
                name={`to ${nameOf(webhook)}`}
                loss="Events that wait are not sent any more. This cannot be undone."
                words={['webhook delete', id]}
                call={() => portal.DELETE('/api/admin/webhooks/{id}', paramsOf(webhook))}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const Renew = ({ webhook }: Of) => (
  <ConfirmButton
    label="Renew the secret"
    words={['webhook renew-secret', webhook.id]}
    onSubmit={() => keep(portal.POST('/api/admin/webhooks/{id}/secret', paramsOf(webhook)))}
  >
    <p>For 24 hours, the secret before signs as well, so that the receiver can change.</p>
  </ConfirmButton>
)

const Test = ({ webhook }: Of) => (
  <ActionButton
    label="Test"
    words={['webhook test', webhook.id]}
    onPress={async () => {
      const call = portal.POST('/api/admin/webhooks/{id}/test', paramsOf(webhook))
      const { status, error } = await ok(call)
      if (error) reportFailure(`The test failed: ${error}.`)
      else report(`The receiver accepted it with ${status}.`)
    }}
  />
)

function ChangeState({ webhook }: Of) {
  const [label, state, done] =
    webhook.state === 'active'
      ? (['Pause', 'paused', 'is paused'] as const)
      : (['Resume', 'active', 'is active again'] as const)
  return (
    <ActionButton
      label={label}
      isPrimary={state === 'active'}
      words={[`webhook ${label.toLowerCase()}`, webhook.id]}
      call={() =>
        portal.PATCH('/api/admin/webhooks/{id}', { ...paramsOf(webhook), body: { state } })
      }
      done={`The webhook to ${nameOf(webhook)} ${done}.`}
    />
  )
}

/** Word and tone of each state. */
const states: Record<Delivery['state'], [word: string, tone: string]> = {
  pending: ['Waiting', ''],
  delivered: ['Delivered', 'good'],
  dead: ['Given up', 'bad']
}

function Deliveries({ webhook }: Of) {
  const { id } = webhook
  const query = { limit: 50 }
  return (
    <section>
      <h2>Last deliveries</h2>
      <LoadedTable
        label="Last deliveries"
        columns={deliveryColumns(webhook)}
        from={useGet('/api/admin/webhooks/{id}/deliveries', { path: { id }, query })}
        empty="There are none."
      />
      <CommandLine words={['webhook deliveries', id]} />
    </section>
  )
}

const deliveryColumns = (webhook: Webhook): Column<Delivery, never>[] => [
  {
    title: 'Event',
    cell: ({ event }) => event ?? 'Deleted record',
    below: ({ eventAt }) => <Ago at={eventAt} />
  },
  {
    title: 'State',
    cell: ({ state }) => <span class={`chip ${states[state][1]}`}>{states[state][0]}</span>
  },
  {
    title: 'Response',
    cell: ({ lastStatus, lastError }) =>
      lastError === `status-${lastStatus}` ? lastStatus : (lastError ?? lastStatus)
  },
  {
    title: 'Attempts',
    cell: ({ attempts }) => attempts,
    below: ({ state, attempts, nextAt }) =>
      state === 'pending' &&
      attempts > 0 && (
        <>
          next <Ago at={nextAt} />
        </>
      )
  },
  actions((delivery) => (
    <>
      {may('activity:read') && delivery.event !== null && (
        <ReadButton label="Show" about={delivery.event} title={delivery.event}>
          <Body {...{ webhook, delivery }} />
        </ReadButton>
      )}
      {may('webhooks:update') && (
        <ActionButton
          label="Resend"
          about={delivery.event ?? 'a deleted record'}
          words={['webhook resend', webhook.id, delivery.id]}
          call={() =>
            portal.POST('/api/admin/webhooks/{id}/resend', {
              ...paramsOf(webhook),
              body: { delivery: delivery.id }
            })
          }
          done="It is sent again."
        />
      )}
    </>
  ))
]

function Body({ webhook, delivery }: Of & { delivery: Delivery }) {
  const path = { id: webhook.id, delivery: delivery.id }
  return (
    <Loaded from={useGet('/api/admin/webhooks/{id}/deliveries/{delivery}', { path })}>
      {({ body }) => (
        <pre tabIndex={0} aria-label="Body">
          {body ? JSON.stringify(body, undefined, 2) : 'The record was deleted.'}
        </pre>
      )}
    </Loaded>
  )
}
