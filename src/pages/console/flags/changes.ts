import type { Flag } from './form.ts'
import { differ } from './patch.ts'
import { clauseOf, nameOf } from './sentences.ts'

/** What differs between two versions of a flag, in words; empty if nothing does. */
export function changesOf(before: Flag, after: Flag): string[] {
  const changes: string[] = []
  if (before.state !== after.state) changes.push(after.state)
  if (before.public !== after.public) changes.push(after.public ? 'public' : 'no longer public')
  if (before.permanent !== after.permanent) {
    changes.push(after.permanent ? 'permanent' : 'no longer permanent')
  }
  if (before.description !== after.description) changes.push('description')
  changes.push(...variantChanges(before.variants, after.variants))
  for (const [place, title] of [
    ['defaultVariant', 'default'],
    ['offVariant', 'when disabled']
  ] as const) {
    if (before[place] === after[place]) continue
    changes.push(`${title}: ${nameOf(before[place], before)} → ${nameOf(after[place], after)}`)
  }
  return [...changes, ...ruleChanges(before, after)]
}

/** One line for people. A long list is counted. */
export const inWords = (changes: readonly string[]) =>
  changes.length > 3
    ? `${changes.slice(0, 2).join('; ')}; ${changes.length - 2} more changes`
    : changes.join('; ')

function variantChanges(before: Flag['variants'], after: Flag['variants']) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    if (!differ(before[name], after[name])) return []
    const done = !(name in before) ? 'added' : name in after ? 'changed' : 'removed'
    return [`variant ${name || 'without a name'} ${done}`]
  })
}

/** Rules have no names: what is the same at both ends has not changed. */
function ruleChanges({ rules: before }: Flag, after: Flag): string[] {
  const { rules } = after
  const shorter = Math.min(before.length, rules.length)
  let start = 0
  while (start < shorter && !differ(before[start], rules[start])) start += 1
  let end = 0
  while (end < shorter - start && !differ(before.at(-1 - end), rules.at(-1 - end))) end += 1
  const gone = before.slice(start, before.length - end)
  const come = rules.slice(start, rules.length - end)
  const numbers = (count: number) =>
    count === 1 ? `rule ${start + 1}` : `rules ${start + 1} to ${start + count}`
  if (gone.length === 0) {
    const [rule] = come
    if (!rule) return []
    return [`${numbers(come.length)} added${come.length > 1 ? '' : `: ${clauseOf(rule, after)}`}`]
  }
  if (come.length === 0) return [`${numbers(gone.length)} removed`]
  if (gone.length !== come.length) return [`${before.length} → ${rules.length} rules`]
  const texts = gone.map((each) => JSON.stringify(each))
  const isMoved = gone.length > 1 && come.every((each) => texts.includes(JSON.stringify(each)))
  return [isMoved ? `order of ${numbers(come.length)}` : `${numbers(come.length)} changed`]
}
