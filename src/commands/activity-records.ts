import type { Db } from '../../db/engine.ts'
import type { listActivity } from '../domain/activity/list.ts'
import { findLabels } from '../domain/users/labels.ts'

type ActivityRecord = Awaited<ReturnType<typeof listActivity>>['items'][number]

/** Adds the e-mail address or key of each target: the current one, else the recorded one. */
export async function withTargetNames(db: Db, records: ActivityRecord[]) {
  const users = records.filter(({ targetType }) => targetType === 'user')
  const labels = await findLabels(
    db,
    users.map(({ targetId }) => targetId)
  )
  return records.map((record) => {
    const { targetType, targetId, actorLabel, details } = record
    const { email, key } = details
    const name =
      targetType === 'user'
        ? (labels.get(targetId ?? '')?.email ?? email)
        : targetType === 'session'
          ? actorLabel // the user whose session it is
          : (key ?? targetId)
    return { ...record, targetName: typeof name === 'string' ? name : null }
  })
}

/** Separate words, which a terminal can wrap: `theme="light"→"dark" role=admin`. */
export const detailsOf = ({ changes = {}, fields = [], ...details }: ActivityRecord['details']) => {
  const others = fields.filter((field) => !(field in changes))
  return [
    ...Object.entries(changes).map(
      ([field, { from, to }]) => `${field}=${JSON.stringify(from)}→${JSON.stringify(to)}`
    ),
    ...Object.entries({ ...(others.length > 0 && { fields: others }), ...details }).map(
      ([name, value]) => {
        const isObject = typeof value === 'object' && !Array.isArray(value)
        return `${name}=${isObject ? JSON.stringify(value) : value}`
      }
    )
  ].join(' ')
}
