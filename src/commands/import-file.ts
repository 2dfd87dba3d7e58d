import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { importUsers, judgeUsers, nothingTaken } from '../domain/administration/import.ts'
import type { Known, NewUser } from '../domain/administration/import-lines.ts'
import { DomainError } from '../domain/domain-error.ts'
import { explain, UsageError } from './errors.ts'
import type { Portal } from './portal.ts'
import { openInput } from './terminal.ts'

const batchSize = 1000
/** Further lines are only counted: in a wrong file, every line is invalid. */
const reportedLines = 100

/** Reads a line into rows. Throws a refusal that names the invalid fields. */
export type ReadLine = (text: string) => NewUser
type Ids = { oldId: string | undefined; id: string }[]

const unproved =
  'An account with this address exists, and the address is not confirmed. Somebody else may have ' +
  'registered with it'
const changing = 'Its address or id changed hands during the import. Run the import again'

interface Line {
  number: number
  row: NewUser
}

/** The lines of a file that are not empty, with their numbers. */
export async function* linesOf(file: string) {
  let number = 0
  for await (const line of splitLines(await openInput(file))) {
    number += 1
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
    if (text.trim() !== '') yield { number, text }
  }
}

/** Not with `readline`, which never ends for a stream that has ended, such as an empty pipe. */
async function* splitLines(input: Readable) {
  let rest = ''
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = chunk.split('\n')
    lines[0] = rest + (lines[0] ?? '')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Whether a line, and not the program, is at fault. */
export const isRefusal = (error: unknown) =>
  error instanceof DomainError || error instanceof UsageError

export async function importFile(
  { db, actor, sealing }: Pick<Portal, 'db' | 'actor' | 'sealing'>,
  file: string,
  {
    read,
    roles,
    dryRun,
    mapping
  }: {
    read: ReadLine
    roles: Known['roles']
    dryRun?: true | undefined
    mapping?: string | undefined
  }
) {
  const total = { created: 0, skipped: 0, unproved: 0, bad: 0, secondFactorsLeftOut: 0 }
  const before = dryRun && nothingTaken()
  if (mapping !== undefined) createMapping(mapping)
  const progress = showProgress(file)
  let reported = 0
  const report = (number: number, message: string) => {
    reported += 1
    if (reported <= reportedLines) progress.print(`line ${number}: ${message}`)
    if (reported === reportedLines) progress.print('further such lines are only counted')
  }
  const reject = (number: number, error: unknown) => {
    total.bad += 1
    report(number, explain(error).message.replace(/\n\s*/g, ' '))
  }

  /** Returns the ids of the users of these lines, whether they were imported now or before. */
  const importLines = async (lines: Line[], isAgain = false): Promise<Ids> => {
    const rows = lines.map(({ row }) => row)
    const verdicts = await judgeUsers(db, rows, before)
    const fresh = rows.filter((_, i) => verdicts[i] === 'new')
    const created = dryRun ? fresh : await importUsers(db, actor, { users: fresh, roles, sealing })
    total.created += created.length
    total.secondFactorsLeftOut += created.filter((each) => each.losesSecondFactor).length
    const ids: Ids = created.map(({ user, oldId }) => ({ oldId, id: user.id }))
    const made = new Set(created)
    const missed: Line[] = []
    for (const [i, line] of lines.entries()) {
      const { number, row } = line
      const verdict = verdicts[i]
      if (verdict instanceof DomainError) reject(number, verdict)
      else if (typeof verdict !== 'object') {
        if (!made.has(row)) missed.push(line)
      } else if (verdict.isProved) {
        total.skipped += 1
        if (verdict.existing !== undefined) ids.push({ oldId: row.oldId, id: verdict.existing })
      } else {
        total.unproved += 1
        report(number, unproved)
      }
    }
    if (missed.length === 0) return ids
    // Their addresses or ids were taken between the judgement and the insertion.
    if (!isAgain) return [...ids, ...(await importLines(missed, true))]
    for (const { number } of missed) reject(number, new UsageError(changing))
    return ids
  }
  const importBatch = async (batch: Line[]) => {
    const ids = await importLines(batch)
    if (mapping !== undefined) {
      const lines = ids.filter(({ oldId }) => oldId !== undefined)
      appendFileSync(mapping, lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
    }
  }

  try {
    let batch: Line[] = []
    let bytes = 0
    for await (const { number, text } of linesOf(file)) {
      bytes += Buffer.byteLength(text) + 1
      try {
        batch.push({ number, row: read(text) })
      } catch (error) {
        if (!isRefusal(error)) throw error
        reject(number, error)
      }
      if (batch.length < batchSize) continue
      await importBatch(batch)
      batch = []
      progress.at(bytes, total.created)
    }
    await importBatch(batch)
  } finally {
    progress.stop()
  }
  return total
}

function createMapping(file: string) {
  try {
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    const why = exists ? 'exists: name a new file' : 'cannot be written'
    throw new UsageError(`The file ${file} ${why}. Nothing was imported.`)
  }
}

/** The last line of stderr, if that is a terminal and the size is known. Messages are above it. */
function showProgress(file: string) {
  const isShown = process.stderr.isTTY && file !== '-'
  const size = isShown ? statSync(file).size : 0
  const begun = Date.now()
  const write = (text: string) => process.stderr.write(`${isShown ? '\r\u001b[K' : ''}${text}`)
  let line = ''
  return {
    at(bytes: number, created: number) {
      if (!isShown) return
      const left = Math.ceil(((Date.now() - begun) / 1000) * (size / bytes - 1))
      const time = left < 120 ? `${left} s` : `${Math.ceil(left / 60)} min`
      line = `importing: ${Math.floor((100 * bytes) / size)} %, ${created} users, ${time} left`
      write(line)
    },
    print: (message: string) => write(`${message}\n${line}`),
    stop() {
      if (isShown) write('')
    }
  }
}
