import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import type { ImportReferences, NewUser } from '../domain/administration/import-lines.ts'
import { importUsers, judgeUsers, nothingTaken } from '../domain/administration/import.ts'
import { sha256 } from '../domain/crypto.ts'
import { DomainError } from '../domain/errors.ts'
import { explain, UsageError } from './errors.ts'
import { entriesOf } from './import-entries.ts'
import type { Entry } from './import-entries.ts'
import type { Portal } from './portal.ts'

const batchSize = 1000
/** Further lines are only counted: in a wrong file, every line is invalid. */
const reportedLines = 100

/** Limits the fields that are named as left out: an export may have as many as users. */
const countedFields = 200

/**
 * Reads a user into rows. Throws a refusal that names the invalid fields. Returns the kind of a
 * record that is not a user.
 */
export type ReadUser = (value: unknown) => NewUser | string
type Ids = { oldId: string | undefined; id: string }[]

const unproved =
  'An account with this address exists, and the address is not confirmed. Somebody else may have ' +
  'registered with it'
const changing = 'Its address or id changed hands during the import. Run the import again'

type Line = Pick<Entry, 'unit' | 'number'> & { row: NewUser }

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
    read: ReadUser
    roles: ImportReferences['roles']
    dryRun?: true | undefined
    mapping?: string | undefined
  }
) {
  const total = {
    created: 0,
    skipped: 0,
    unproved: 0,
    bad: 0,
    secondFactorsLeftOut: 0,
    withoutPassword: 0,
    leftOut: {} as Record<string, number>
  }
  const leaveOut = (what: string) => {
    const { leftOut } = total
    const isCounted = Object.hasOwn(leftOut, what) || Object.keys(leftOut).length < countedFields
    const name = isCounted ? what : 'other fields'
    leftOut[name] = (leftOut[name] ?? 0) + 1
  }
  /** The numbers of lines by their addresses, of which a part of a hash takes less memory. */
  const seen = new Map<number, number>()
  const before = dryRun && nothingTaken()
  if (mapping !== undefined) createMapping(mapping)
  const progress = showProgress(file)
  let reported = 0
  const report = ({ unit, number }: Pick<Entry, 'unit' | 'number'>, message: string) => {
    reported += 1
    if (reported <= reportedLines) progress.print(`${unit} ${number}: ${message}`)
    if (reported === reportedLines) progress.print('further such lines are only counted')
  }
  const reject = (entry: Pick<Entry, 'unit' | 'number'>, error: unknown) => {
    total.bad += 1
    report(entry, explain(error).message.replace(/\n\s*/g, ' '))
  }

  /** Returns the ids of the users of these lines, whether they were imported now or before. */
  const importLines = async (lines: Line[], isAgain = false): Promise<Ids> => {
    const rows = lines.map(({ row }) => row)
    const verdicts = await judgeUsers(db, rows, before)
    const fresh = rows.filter((_, i) => verdicts[i] === 'new')
    const created = dryRun ? fresh : await importUsers(db, actor, { users: fresh, roles, sealing })
    total.created += created.length
    total.secondFactorsLeftOut += created.filter((each) => each.losesSecondFactor).length
    total.withoutPassword += created.filter(
      ({ user, providers }) => user.passwordHash == null && providers.length === 0
    ).length
    for (const { leftOut } of created) for (const what of new Set(leftOut)) leaveOut(what)
    const ids: Ids = created.map(({ user, oldId }) => ({ oldId, id: user.id }))
    const made = new Set(created)
    const missed: Line[] = []
    for (const [i, line] of lines.entries()) {
      const { number, row } = line
      const verdict = verdicts[i]
      if (verdict instanceof DomainError) {
        reject(line, verdict)
        continue
      }
      const key = keyOf(row.user.emailNormalized)
      const first = seen.get(key) ?? number
      seen.set(key, first)
      if (typeof verdict !== 'object') {
        if (!made.has(row)) missed.push(line)
      } else if (first !== number) {
        reject(line, new UsageError(`Has the address of ${line.unit} ${first}.`))
      } else if (verdict.isProved) {
        total.skipped += 1
        if (verdict.existing !== undefined) ids.push({ oldId: row.oldId, id: verdict.existing })
      } else {
        total.unproved += 1
        report(line, unproved)
      }
    }
    if (missed.length === 0) return ids
    // Their addresses or ids were taken between the judgement and the insertion.
    if (!isAgain) return [...ids, ...(await importLines(missed, true))]
    for (const line of missed) reject(line, new UsageError(changing))
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
    for await (const { unit, number, value, error, ...entry } of entriesOf(file)) {
      bytes += entry.bytes
      try {
        if (error !== undefined) throw error
        const row = read(value)
        if (typeof row === 'string') leaveOut(row)
        else batch.push({ unit, number, row })
      } catch (error) {
        if (!isRefusal(error)) throw error
        reject({ unit, number }, error)
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

/** 48 bits: two addresses with the same number make one message wrong, and nothing else. */
const keyOf = (email: string) => sha256(email).readUIntBE(0, 6)

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
