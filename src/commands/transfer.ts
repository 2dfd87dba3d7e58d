import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import cliProgress from 'cli-progress'
import { retried } from '../../db/transaction.ts'
import { record } from '../domain/activity/record.ts'
import { DomainError } from '../domain/errors.ts'
import {
  countUsers,
  exportUsers,
  importUsers,
  prepareUser,
  roleIds,
  takenEmails
} from '../domain/accounts/transfer.ts'
import type { TransferredUser as User } from '../domain/accounts/transfer.ts'
import { TransferredUser } from '../schemas/transfer.ts'
import { exitCodes, explain, UsageError } from './errors.ts'
import { checker, parseJson } from './input.ts'
import { asData, example } from './options.ts'
import { printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { openInput } from './terminal.ts'

const batchSize = 1000
/** Of more bad lines only the number is told: a wrong file has nothing but. */
const toldLines = 100

type Row = ReturnType<typeof prepareUser>

export function addTransferCommands(program: Command) {
  const imports = program.command('import').description('bring data in')
  example(imports, 'portal import users users.ndjson')
  example(
    asData(
      imports
        .command('users')
        .description('import users: NDJSON, a line each; one whose address exists is skipped')
        .argument('<file>', 'file to read; - is stdin')
    ).option('--dry-run', 'say what would happen, and change nothing'),
    'portal import users users.ndjson',
    'portal import users users.ndjson --dry-run'
  ).action(async (file: string, { dryRun, json }: { dryRun?: true; json?: true }) =>
    withPortal(async (portal) => {
      const { created, skipped, bad } = await importFile(portal, file, dryRun === true)
      say(
        `${dryRun ? 'would import' : 'imported'} ${created}, skipped ${skipped} that exist, refused ${bad}`
      )
      if (json) await printJson({ created, skipped, bad })
      if (bad > 0) process.exitCode = exitCodes.failed
    })
  )

  const exports = program.command('export').description('take data out')
  example(exports, 'portal export users > users.ndjson')
  example(
    exports
      .command('users')
      .description('export users: NDJSON, as import takes it')
      .option('--with-password-hashes', 'with them; this is put on record'),
    'portal export users > users.ndjson'
  ).action(async ({ withPasswordHashes }: { withPasswordHashes?: true }) =>
    withPortal(async ({ db, actor }) => {
      // On record before the first line is out: whoever reads may stop reading, and end this process, at any line.
      if (withPasswordHashes) {
        await retried(async () =>
          record(db, actor, 'users.export', { details: { count: await countUsers(db) } })
        )
      }
      let count = 0
      for await (const { id, passwordHash, createdAt, profile, ...user } of exportUsers(db)) {
        const told = Object.entries(profile).filter(([, value]) => value !== null)
        const line = {
          ...user,
          ...(told.length > 0 && { profile: Object.fromEntries(told) }),
          createdAt,
          ...(withPasswordHashes && passwordHash !== null && { passwordHash })
        }
        await write(`${JSON.stringify(line)}\n`)
        count += 1
      }
      say(
        `exported ${count}${withPasswordHashes ? ' with password hashes: keep the file as you keep the database' : ''}`
      )
    })
  )
}

async function importFile({ db, actor }: Portal, file: string, dryRun: boolean) {
  const total = { created: 0, skipped: 0, bad: 0 }
  const knownRoles = await roleIds(db)
  const check = await checker(TransferredUser)
  const seen = new Set<string>() // of a dry run, which leaves no trace in the database
  const input = openInput(file)
  await once(input, 'readable').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`)
  })
  const bar = progress(file)

  const importBatch = async (batch: Row[]) => {
    const created = dryRun
      ? await countNew(batch)
      : await importUsers(db, actor, { users: batch, roleIds: knownRoles })
    total.created += created
    total.skipped += batch.length - created
  }
  const countNew = async (batch: Row[]) => {
    const taken = await takenEmails(
      db,
      batch.map((row) => row.emailNormalized)
    )
    const isNew = ({ emailNormalized: email }: Row) =>
      !taken.has(email) && !seen.has(email) && seen.add(email)
    return batch.filter(isNew).length
  }
  const parse = (text: string, number: number) => {
    try {
      return prepareUser(check(parseJson(text)) as User, knownRoles)
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof UsageError)) throw error
      total.bad += 1
      if (total.bad <= toldLines) {
        bar.tell(`line ${number}: ${explain(error).message.replace(/\n\s*/g, ' ')}`)
      }
      if (total.bad === toldLines) bar.tell('further bad lines are only counted')
    }
  }

  try {
    let batch: Row[] = []
    let number = 0
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number += 1
      const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
      const row = text.trim() === '' ? undefined : parse(text, number)
      if (row) batch.push(row)
      if (batch.length < batchSize) continue
      await importBatch(batch)
      batch = []
      bar.at('bytesRead' in input ? input.bytesRead : number, total.created)
    }
    await importBatch(batch)
  } finally {
    bar.stop() // it has hidden the cursor
  }
  return total
}

/** A bar on a terminal, where the size is known; messages go above it. */
function progress(file: string) {
  const bar =
    process.stderr.isTTY && file !== '-'
      ? new cliProgress.SingleBar(
          {
            format: 'importing [{bar}] {percentage} %, {created} users, {eta_formatted} left',
            stream: process.stderr,
            clearOnComplete: true,
            hideCursor: true
          },
          cliProgress.Presets.shades_classic
        )
      : undefined
  bar?.start(statSync(file).size, 0, { created: 0 })
  return {
    at: (bytes: number, created: number) => bar?.update(bytes, { created }),
    tell: (message: string) => process.stderr.write(`${bar ? '\r\u001b[K' : ''}${message}\n`),
    stop: () => bar?.stop()
  }
}
