import './mail.css'
import { capital } from '../shared/capital.ts'
import { portal } from '../shared/client.ts'
import type { Schemas } from '../shared/client.ts'
import { Choice } from '../shared/controls.tsx'
import { ActionButton } from './action-buttons.tsx'
import { UserFilter } from './list/user-filter.tsx'
import { actions, begun } from './list/table.tsx'
import type { Column } from './list/table.tsx'
import { useList } from './list/use-list.ts'
import { ListView } from './list/view.tsx'
import { may } from './may.ts'
import { UserLink } from './user-link.tsx'
import { deliveryOf } from './mail-words.ts'
import { Empty } from './parts.tsx'

type Mail = Schemas['OutboxMessage']

/** Word, meaning and tone of each state. */
const states: Record<Mail['state'], [word: string, meaning: string, tone?: string]> = {
  pending: ['Waiting', 'waiting to be sent'],
  sent: ['Sent', 'accepted by the mail server', 'good'],
  dead: ['Not delivered', 'refused, or out of attempts', 'bad'],
  dropped: ['Dropped', 'expired, or nobody to send it to'],
  caught: ['Caught', 'kept, and not sent']
}

export function Outbox() {
  const list = useList('/api/admin/outbox', ['userId', 'state', 'sort'])
  return (
    <ListView
      {...list}
      title="Mail"
      noun="mails"
      about="What the portal has written to people. Caught mail is kept, and not sent."
      fields={
        <>
          <UserFilter label="To" name="userId" value={list.filters.userId} />
          <Choice
            label="State"
            name="state"
            options={[
              ['', 'Every state'],
              ...Object.entries(states).map(
                ([key, [word, meaning]]) => [key, `${word}: ${meaning}`] as const
              )
            ]}
          />
        </>
      }
      columns={columns}
      orders={['-createdAt', 'createdAt']}
      empty={
        <Empty title="No mail" command="portal mail test --to you@example.com">
          Links to confirm an address, and notices of changes, appear here.
        </Empty>
      }
      command="mail list"
    />
  )
}

/** Subjects of mails whose kind does not name them. */
const subjects: Partial<Record<Mail['kind'], string>> = {
  confirm: 'Confirm the address',
  'address-kept': 'Address kept for another account',
  recovery: 'Choose a new password',
  'email-verify': 'Confirm the address',
  'email-change': 'Confirm the new address',
  'email-changed': 'Address changed',
  'factor-enrolment': 'Set up a second factor',
  'sign-in-unfinished': 'Sign-in not finished',
  'key-created': 'API key created',
  'key-expiring': 'API key expires soon'
}

/** By default the kind as words: `new-device` is “New device”. */
const aboutOf = (kind: Mail['kind']) => subjects[kind] ?? capital(kind.replaceAll('-', ' '))

const columns: Column<Mail, 'createdAt'>[] = [
  {
    title: 'To',
    cell: ({ user, userId, recipient }) =>
      userId === null ? (recipient ?? 'Nobody yet') : <UserLink id={userId} user={user} />,
    below: ({ userId, recipient }) =>
      userId !== null && recipient !== null && <span class="whole">{recipient}</span>
  },
  {
    title: 'Mail',
    // The portal shows mail that it has caught at an address of its own.
    cell: ({ id, kind, state }) =>
      state === 'caught' ? <a href={`/mail/${id}`}>{aboutOf(kind)}</a> : aboutOf(kind),
    below: (mail) => deliveryOf(mail)
  },
  {
    title: 'State',
    cell: ({ state }) => {
      const [word, meaning, tone] = states[state]
      return (
        <span class={`chip ${tone ?? ''}`} title={meaning}>
          {word}
        </span>
      )
    }
  },
  begun('Written'),
  actions(
    ({ id, kind, state, recipient }) =>
      (state === 'pending' || state === 'dead') &&
      may('outbox:retry') && (
        <ActionButton
          label="Retry"
          about={aboutOf(kind)}
          words={['mail retry', id]}
          call={() => portal.POST('/api/admin/outbox/{id}/retry', { params: { path: { id } } })}
          done={`The mail${recipient ? ` to ${recipient}` : ''} is sent again.`}
        />
      )
  )
]
