import { isDeepStrictEqual } from 'node:util'
import type { SettingsDocument } from '../../../db/schema/user-settings.ts'

/** RFC 7396: null removes a property, and everything but an object is replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: SettingsDocument = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

/** Whether a value has more levels than this. Not by recursion: a client has chosen the depth. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let values = [value]
  for (let level = 1; level <= levels && values.length > 0; level++) {
    values = values.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : []
    )
  }
  return values.length > 0
}

/** Names of the properties that differ. */
export const changedNames = (before: SettingsDocument, after: SettingsDocument) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name])
  )

const isObject = (value: unknown): value is SettingsDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
