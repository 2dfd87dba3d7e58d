import './operator.css'
import { facts } from './facts.ts'

/** Above every view: where one is, and whether one can change something. */
export function Where() {
  if (!facts.value) return null
  const { environment, canWrite, operator, database } = facts.value
  return (
    <div role="region" aria-label="This console" class={canWrite ? 'where writes' : 'where'}>
      <strong>{environment}</strong>
      <strong>{canWrite ? 'changes allowed' : 'read only'}</strong>
      <span>{operator}</span>
      <span>{database.replace(/^PostgreSQL at /, '')}</span>
    </div>
  )
}
