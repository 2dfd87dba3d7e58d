import { Choice, Field } from '../../shared/controls.tsx'
import type { Values } from '../list/address.ts'
import { PersonFilter } from '../list/person.tsx'

/** The filters that people use most. */
export const fields = ({ actorId }: Values<'actorId'>) => (
  <>
    <PersonFilter label="Done by" name="actorId" value={actorId} />
    <Choice
      label="Outcome"
      name="outcome"
      options={[
        ['', 'Every outcome'],
        ['success', 'Success'],
        ['failure', 'Failure']
      ]}
    />
  </>
)

/** The others. `actions` are to choose from. */
export const moreFields = ({ targetId }: Values<'targetId'>, actions: string[]) => ({
  names: ['targetId', 'action', 'ip', 'sessionId', 'requestId', 'from', 'to'],
  fields: (
    <>
      <PersonFilter label="Done to" name="targetId" value={targetId} takesKeys />
      <Field label="Action" name="action" list="actions" maxLength={40} placeholder="auth.login" />
      <datalist id="actions">
        {actions.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <Field label="Address or network" name="ip" maxLength={49} placeholder="203.0.113.0/24" />
      <Field label="Session id" name="sessionId" maxLength={36} />
      <Field label="Request id" name="requestId" maxLength={45} />
      <Field label="From" name="from" type="datetime-local" step="any" />
      <Field label="Before" name="to" type="datetime-local" step="any" />
    </>
  )
})
