import { recordedFields } from '../../../db/schema/activity-details.ts'
import type { ActivityDetails } from '../../../db/schema/activity-details.ts'

type Recorded = (typeof recordedFields)[number]
type Row = { [F in Recorded]?: string | boolean | undefined }

/** For a record: the changed fields, and what those of `recordedFields` changed from and to. */
export function describeChanges<Field extends string>(
  fields: readonly Field[],
  before: Row,
  after: Row
): Pick<ActivityDetails, 'fields'> & Partial<Pick<ActivityDetails, 'changes'>> {
  const changes: ActivityDetails['changes'] = {}
  for (const field of recordedFields) {
    const [from, to] = [before[field], after[field]]
    const isChanged = fields.some((each) => each === field)
    if (isChanged && from !== undefined && to !== undefined) changes[field] = { from, to }
  }
  return { fields: [...fields], ...(Object.keys(changes).length > 0 && { changes }) }
}
