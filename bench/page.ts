import { rowOf } from './growth/lines.ts'
import { machineOf } from './figures.ts'
import type { Claim, Part } from './figures.ts'

/** The page of all results, which begins with what was missed. */
export function pageOf(parts: Record<string, Part>): string {
  const runOf = (part: Part) => `${part.at}, ${machineOf(part)}`
  const measured = Object.entries(parts).filter(([, { claims }]) => claims.length > 0)
  const runs = [...new Set(measured.map(([, part]) => runOf(part)))].sort().reverse()
  const all = measured.flatMap(([name, part]) =>
    part.claims.map((claim) => ({ part: name, run: runs.indexOf(runOf(part)) + 1, ...claim }))
  )
  const missed = all.filter(({ holds }) => !holds)
  const open = all.filter(({ isOpen }) => isOpen)
  const untold = all.filter(({ required, spread }) => required !== 'no limit' && !spread)
  const lines = Object.values(parts).flatMap((part) => part.lines ?? [])
  const details = measured.filter(([, { table, skipped }]) => table?.[0] || skipped?.[0])
  return `${[
    '# What was measured',
    missed.length > 0
      ? `**Missed: ${missed.length} of ${all.length}.**\n\n${listOf(missed)}`
      : `Nothing was missed of ${all.length}.`,
    open.length > 0
      ? `**Left open by the noise of the machine: ${open.length}.** The limit is within the spread, so another run could turn them.\n\n${listOf(open)}`
      : 'No spread has a limit in it.',
    `Of ${untold.length} with a limit no spread is known: they are one figure, such as a maximum, or older than the column.`,
    runs.length === 1
      ? `All are of one run: ${runs[0]}.`
      : `These are the latest figures of ${runs.length} runs, which tell nothing about each other:\n\n${runs.map((run, n) => `${n + 1}. ${run}`).join('\n')}`,
    'Written by `npm run bench` in `bench/`, in which `npm run bench -- page` only writes it again. A measured figure is the median of the rounds, or of their ratios. The spread is the interval that has it in 19 of 20 runs, as far as the rounds can tell. The figures behind each line are in the files beside this one; what later runs have replaced is in `history.md`. [Where the time of a session check goes](../profile.md) says what is missed, and why.',
    tableOf(
      all.map(({ part, run, what, required, measured, spread = '', ...claim }) => ({
        part,
        ...(runs.length > 1 && { run }),
        ...{ what, required, measured, spread, '': verdictOf(claim) }
      }))
    ),
    ...(lines.length > 0
      ? [
          '## How cost grows',
          'A line bends at the first size that costs half as much again as the one before lets expect.',
          tableOf(lines.map(rowOf))
        ]
      : []),
    ...details.map(([name, { table = [], skipped = [] }]) =>
      [
        `## ${name}`,
        ...(table[0] ? [tableOf(table)] : []),
        ...skipped.map((each) => `Skipped: ${each}.`)
      ].join('\n\n')
    )
  ].join('\n\n')}\n`
}

const verdictOf = ({ holds, isOpen }: Pick<Claim, 'holds' | 'isOpen'>) =>
  `${holds ? 'holds' : '**missed**'}${isOpen ? ', open' : ''}`

const listOf = (claims: (Claim & { part: string })[]) =>
  claims
    .map(({ part, what, measured, spread, required }) => {
      const figures = `${measured}${spread ? ` (${spread})` : ''}, required ${required}`
      return `- ${part}: ${what}: ${figures}`
    })
    .join('\n')

function tableOf(rows: Record<string, string | number>[]) {
  const line = (cells: unknown[]) => `| ${cells.join(' | ')} |`
  const names = Object.keys(rows[0] ?? {})
  return [
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(Object.values(row)))
  ].join('\n')
}
