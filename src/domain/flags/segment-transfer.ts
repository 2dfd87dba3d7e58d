import { asc } from 'drizzle-orm'
import type { Db } from '../../../db/engine.ts'
import { segments } from '../../../db/schema/flags.ts'
import { DomainError, invalidFields } from '../errors.ts'
import type { FieldError } from '../errors.ts'
import { changedFields } from './revisions.ts'
import { definitionOf } from './writing.ts'
import type { Keyed, Kind, Row } from './writing.ts'

/** The change that an import makes to a flag or a segment. */
export interface Step {
  kind: 'flag' | 'segment'
  key: string
  change: 'create' | 'update' | 'same' | 'delete'
  fields: string[]
}

export interface Compared<D> {
  step: Step
  before: Row<D> | undefined
  after: Keyed<D>
}

const { key, description, when } = segments

/** All segments in the order of their keys, without what belongs to this portal only. */
export const exportSegments = (db: Db) =>
  db.select({ key, description, when }).from(segments).orderBy(asc(key))

/**
 * Compares every item of a list in a file with the one of this portal. Throws a refusal that lists
 * the errors of all of them, with pointers such as `/flags/0/key`.
 * @param clean checks an item, and returns what would be stored
 */
export async function compareEach<D extends object, Given extends { key: string }>(
  { name, table }: Kind<D>,
  items: readonly Given[],
  existing: ReadonlyMap<string, Row<D>>,
  clean: (item: Given, before: Row<D> | undefined) => Promise<Keyed<D>>
): Promise<Compared<D>[]> {
  const errors: FieldError[] = []
  const compared: Compared<D>[] = []
  const seen = new Set<string>()
  for (const [n, item] of items.entries()) {
    try {
      const { key } = item
      if (seen.has(key)) {
        const message = 'An earlier one has this key'
        throw invalidFields({ pointer: '/key', code: 'repeated', message })
      }
      seen.add(key)
      const before = existing.get(key)
      const after = await clean(item, before)
      const fields = before
        ? changedFields(definitionOf(table, before), definitionOf(table, after))
        : []
      const change = !before ? 'create' : fields.length > 0 ? 'update' : 'same'
      compared.push({ step: { kind: name, key, change, fields }, before, after })
    } catch (error) {
      if (!(error instanceof DomainError) || !error.errors) throw error
      for (const each of error.errors) {
        errors.push({ ...each, pointer: `/${name}s/${n}${each.pointer}` })
      }
    }
  }
  if (errors.length > 0) throw invalidFields(...errors)
  return compared
}
