import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { importUsers, judgeUsers } from '../domain/administration/import.ts'
import type { Known, NewUser } from '../domain/administration/import-lines.ts'
import { DomainError } from '../domain/domain-error.ts'
import { explain, UsageError } from './errors.ts'
import type { Portal } from './portal.ts'
import { openInput } from './terminal.ts'

const batchSize = 1000
/** Further invalid lines are only counted: in a wrong file, every line is invalid. */
const reportedLines = 100

/** Reads a line into rows. Throws a refusal that names the invalid fields. */
export type ReadLine = (text: string) => NewUser
interface Line {
  number: number
  row: NewUser
}

/** The lines of a file that are not empty, with their numbers. */
export async function* linesOf(file: string) {
  let number = 0
  for await (const line of createInterface({ input: await openInput(file), crlfDelay: Infinity })) {
    number += 1
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
    if (text.trim() !== '') yield { number, text }
  }
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
  const total = { created: 0, skipped: 0, bad: 0, secondFactorsLeftOut: 0 }
  const before = dryRun && new Map<string, string>()
  if (mapping !== undefined) createMapping(mapping)
  const progress = showProgress(file)
  const reject = (number: number, error: unknown) => {
    total.bad += 1
    if (total.bad <= reportedLines) {
      progress.print(`line ${number}: ${explain(error).message.replace(/\n\s*/g, ' ')}`)
    }
    if (total.bad === reportedLines) progress.print('further invalid lines are only counted')
  }

  const importBatch = async (batch: Line[]) => {
    const rows = batch.map(({ row }) => row)
    const verdicts = await judgeUsers(db, rows, before)
    const fresh = rows.filter((_, i) => verdicts[i] === 'new')
    const created = dryRun ? fresh : await importUsers(db, actor, { users: fresh, roles, sealing })
    const ids = created.map(({ user, oldId }) => ({ oldId, id: user.id }))
    total.created += created.length
    total.secondFactorsLeftOut += created.filter((each) => each.losesSecondFactor).length
    total.skipped += fresh.length - created.length
    for (const [i, { number, row }] of batch.entries()) {
      const verdict = verdicts[i]
      if (verdict instanceof DomainError) reject(number, verdict)
      else if (typeof verdict === 'object') {
        total.skipped += 1
        if (verdict.existing !== undefined) ids.push({ oldId: row.oldId, id: verdict.existing })
      }
    }
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
