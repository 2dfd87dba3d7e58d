import { RejectedCall } from './client.ts'
import { Action } from './form.tsx'
import { say } from './say.ts'
import { formatTime } from './time-format.ts'

export interface Pending {
  /** ISO 8601. */
  deleteAt: string
  /** Repeats the sign-in, and restores the account with it. */
  restore(): Promise<unknown>
}

/** When the account will be deleted to which a sign-in was refused. */
export const pendingSince = (error: unknown) =>
  error instanceof RejectedCall && error.problem.code === 'deletion-pending'
    ? error.problem.deleteAt
    : undefined

/** Offers to restore an account whose deletion is planned. */
export const PendingDeletion = ({
  pending: { deleteAt, restore },
  onBack
}: {
  pending: Pending
  onBack(): void
}) => (
  <section>
    <h2>{say('deletion-pending')}</h2>
    <p role="status">{say('deletion-pending-text', { time: formatTime(deleteAt) })}</p>
    <div class="actions">
      <Action label={say('restore-sign-in')} onPress={restore} />
      <button type="button" class="secondary outline" onClick={onBack}>
        {say('back')}
      </button>
    </div>
  </section>
)
