import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { transaction } from '../../db/transaction.ts'
import { record } from '../domain/activity/record.ts'
import { DomainError } from '../domain/domain-error.ts'
import { countUsers, exportUsers } from '../domain/administration/export.ts'
import { importUsers, prepareUser, roleIds, takenEmails } from '../domain/administration/import.ts'
import type { PasswordChoice } from '../domain/administration/import.ts'
import { TransferredUser } from '../schemas/transfer.ts'
import { explain, UsageError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import { checker, parseJson } from './input.ts'
import { asData, example } from './options.ts'
import { printJson, say, write } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { openInput } from './terminal.ts'

const batchSize = 1000
/** Further invalid lines are only counted: in a wrong file, every line is invalid. */
const reportedLines = 100

type Row = ReturnType<typeof prepareUser>
type ImportOptions = PasswordChoice & { dryRun?: true }

export function addTransferCommands(program: Command) {
  const imports = program.command('import').description('import data')
  example(imports, 'portal import users users.ndjson')
  example(
    asData(
      imports
        .command('users')
        .description(
          'import users from NDJSON, one per line; registered e-mail addresses are skipped'
        )
        .argument('<file>', 'file to read; - for stdin')
    )
      .option('--dry-run', 'report what would happen without changing anything')
      .option('--no-passwords', 'import users without their passwords')
      .option('--drop-unsafe-hashes', 'import a user without a password whose hash is not safe'),
    'portal import users users.ndjson',
    'portal import users users.ndjson --dry-run'
  ).action(async (file: string, { json, ...options }: ImportOptions & { json?: true }) =>
    withPortal(async (portal) => {
      const { dryRun } = options
      const { created, skipped, bad } = await importFile(portal, file, options)
      say(
        `${dryRun ? 'would import' : 'imported'} ${created}, skipped ${skipped} existing, ` +
          `rejected ${bad}`
      )
      if (json) await printJson({ created, skipped, bad })
      if (bad > 0) process.exitCode = exitCodes.failed
    })
  )

  const exports = program.command('export').description('export data')
  example(exports, 'portal export users > users.ndjson')
  example(
    exports
      .command('users')
      .description('export users as NDJSON, in the format of import users')
      .option(
        '--with-password-hashes',
        'include password hashes; the export is recorded in the audit trail'
      ),
    'portal export users > users.ndjson'
  ).action(async ({ withPasswordHashes }: { withPasswordHashes?: true }) =>
    withPortal(async ({ db, actor }) => {
      // Recorded before the first line is written: a reader that closes the pipe ends this process.
      if (withPasswordHashes) {
        await transaction(db, async (tx) =>
          record(tx, actor, 'users.export', { details: { count: await countUsers(tx) } })
        )
      }
      let count = 0
      for await (const row of exportUsers(db)) {
        const { id, passwordHash, createdAt, profile, emailVerified, ...user } = row
        const filled = Object.entries(profile).filter(([, value]) => value !== null)
        const line = {
          ...user,
          ...(filled.length > 0 && { profile: Object.fromEntries(filled) }),
          createdAt,
          ...(emailVerified && { emailVerified }),
          ...(withPasswordHashes && passwordHash !== null && { passwordHash })
        }
        await write(`${JSON.stringify(line)}\n`)
        count += 1
      }
      const advice = withPasswordHashes
        ? ' with password hashes: protect the file like the database'
        : ''
      say(`exported ${count}${advice}`)
    })
  )
}

async function importFile({ db, actor }: Portal, file: string, options: ImportOptions) {
  const { dryRun, ...choice } = options
  const total = { created: 0, skipped: 0, bad: 0 }
  const knownRoles = await roleIds(db)
  const check = await checker(TransferredUser)
  const seen = new Set<string>() // for a dry run, which writes nothing to the database
  const input = await openInput(file)
  const bar = await progress(file)

  const importBatch = async (batch: Row[]) => {
    const created = dryRun
      ? await countNew(batch)
      : await importUsers(db, actor, { users: batch, knownRoles })
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
      return prepareUser(check(parseJson(text)), knownRoles, choice)
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof UsageError)) throw error
      total.bad += 1
      if (total.bad <= reportedLines) {
        bar.print(`line ${number}: ${explain(error).message.replace(/\n\s*/g, ' ')}`)
      }
      if (total.bad === reportedLines) bar.print('further invalid lines are only counted')
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
    bar.stop() // shows the cursor again
  }
  return total
}

/**
 * A progress bar when stderr is a terminal and the size is known. Messages are printed above it.
 */
async function progress(file: string) {
  const { default: cliProgress } = await import('cli-progress')
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
    print: (message: string) => process.stderr.write(`${bar ? '\r\u001b[K' : ''}${message}\n`),
    stop: () => bar?.stop()
  }
}
