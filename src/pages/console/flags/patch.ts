import type { Schemas } from '../../shared/client.ts'
import type { Flag } from './form.ts'

/** The changes as a merge patch; undefined if there are none. */
export function patchOf(before: Flag, after: Flag): Schemas['FlagPatch'] | undefined {
  const { key, type, variants, ...fields } = after
  const changed = Object.entries(fields).filter(([name, value]) =>
    differ(value, before[name as keyof Flag])
  )
  const names = new Set([...Object.keys(before.variants), ...Object.keys(variants)])
  const merged = [...names]
    .filter((name) => differ(variants[name], before.variants[name]))
    .map((name) => [name, variants[name] ?? null])
  if (merged.length > 0) changed.push(['variants', Object.fromEntries(merged)])
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** The flag with a merge patch applied to it. */
export const patched = (flag: Flag, { variants, ...patch }: Schemas['FlagPatch'] = {}): Flag => ({
  ...flag,
  ...patch,
  variants: Object.fromEntries(
    Object.entries({ ...flag.variants, ...variants }).filter(([, value]) => value !== null)
  ) as Flag['variants']
})

export const differ = (one: unknown, other: unknown) =>
  JSON.stringify(one) !== JSON.stringify(other)
