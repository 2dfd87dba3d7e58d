import { Link } from 'wouter-preact'
import { Dialog } from '../../shared/dialog.tsx'
import { Loaded, useGet } from '../../shared/load.tsx'
import { formatTime } from '../../shared/time-format.ts'
import { CommandLine } from '../command-line.tsx'
import { Facts } from '../facts.tsx'
import { addressOf } from '../list/address.ts'
import { sentenceOf } from './sentences.ts'
import type { ActivityRecord } from './sentences.ts'

/** A record in full. What it shares with others leads to them. */
export function Details({ id, onClose }: { id: string; onClose(): void }) {
  const record = useGet('/api/admin/activity/{id}', { path: { id } })
  return (
    <Dialog title="Activity record" onClose={onClose}>
      <Loaded from={record}>
        {(record) => (
          <>
            <p>{sentenceOf(record)}.</p>
            <Facts of={factsOf(record)} />
          </>
        )}
      </Loaded>
      <CommandLine words={['activity show', id]} />
      <button type="button" class="secondary" onClick={onClose}>
        Close
      </button>
    </Dialog>
  )
}

/** The names are those of the API. */
function factsOf({ at, details, ...record }: ActivityRecord) {
  const { action, actorId, targetId, ip, requestId, sessionId, actor, target, ...others } = record
  const shared = { action, actorId, targetId, ip, requestId, sessionId }
  const links = Object.entries(shared).map(([name, value]) => [
    name,
    // oxlint-disable-next-line react/jsx-key -- it is in a pair, not in a list
    value && <Link href={addressOf('/activity', { [name]: value })}>{value}</Link>
  ])
  return {
    at: (
      <time dateTime={at} title={at}>
        {formatTime(at)}
      </time>
    ),
    ...others,
    ...Object.fromEntries(links),
    details: Object.keys(details).length > 0 ? <code>{JSON.stringify(details)}</code> : undefined
  }
}
