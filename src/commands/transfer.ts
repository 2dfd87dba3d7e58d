import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import cliProgress from 'cli-progress'
import { retried } from '../../db/transaction.ts'
import { record } from '../domain/activity.ts'
import { countUsers, exportUsers, importUsers, prepareUser, roleIds, takenEmails } from '../domain/transfer.ts'
import type { TransferredUser as User } from '../domain/transfer.ts'
import { TransferredUser } from '../schemas/transfer.ts'
import { exitCodes, explain, UsageError } from './errors.ts'
import { checker, parseJson } from './input.ts'
import { asData, example } from './options.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { openInput, printJson, say } from './terminal.ts'

const batchSize = 1000
/** Of more bad lines only the number is told: a wrong file has nothing but. */
const toldLines = 100

type Row = ReturnType<typeof prepareUser>

export function addTransferCommands (program: Command) {
  const imports = program.command('import').description('bring data in')
  example(asData(imports.command('users').description('import users: NDJSON, a line each; one whose address exists is skipped')
    .argument('<file>', 'file to read; - is stdin'))
    .option('--dry-run', 'say what would happen, and change nothing'), 'portal import users users.ndjson', 'portal import users users.ndjson --dry-run')
    .action(async (file: string, { dryRun, json }: { dryRun?: true, json?: true }) => withPortal(async (portal) => {
      const { created, skipped, bad } = await importFile(portal, file, dryRun === true)
      say(`${dryRun ? 'would import' : 'imported'} ${created}, skipped ${skipped} that exist, refused ${bad}`)
      if (json) printJson({ created, skipped, bad })
      if (bad > 0) process.exitCode = exitCodes.failed
    }))

  const exports = program.command('export').description('take data out')
  example(exports.command('users').description('export users: NDJSON, as import takes it')
    .option('--with-password-hashes', 'with them; this is put on record'), 'portal export users > users.ndjson')
    .action(async ({ withPasswordHashes }: { withPasswordHashes?: true }) => withPortal(async ({ db, actor }) => {
      // On record before the first line is out: whoever reads may stop reading, and end this process, at any line.
      if (withPasswordHashes) {
        await retried(async () => record(db, actor, 'users.export', { details: { count: await countUsers(db) } }))
      }
      let count = 0
      for await (const { id, passwordHash, createdAt, profile, ...user } of exportUsers(db)) {
        const told = Object.entries(profile).filter(([, value]) => value !== null)
        const line = { ...user, ...(told.length > 0 && { profile: Object.fromEntries(told) }), createdAt, ...(withPasswordHashes && passwordHash !== null && { passwordHash }) }
        if (!process.stdout.write(JSON.stringify(line) + '\n')) await once(process.stdout, 'drain')
        count += 1
      }
      say(`exported ${count}${withPasswordHashes ? ' with password hashes: keep the file as you keep the database' : ''}`)
    }))
}

async function importFile ({ db, actor }: Portal, file: string, dryRun: boolean) {
  const total = { created: 0, skipped: 0, bad: 0 }
  const knownRoles = await roleIds(db)
  const check = await checker(TransferredUser)
  const seen = new Set<string>() // of a dry run, which leaves no trace in the database
  const input = openInput(file)
  await once(input, 'readable').catch(() => { throw new UsageError(`The file ${file} cannot be read.`) })
  const bar = progress(file)

  const write = async (batch: Row[]) => {
    const created = dryRun ? await count(batch) : await importUsers(db, actor, batch, knownRoles)
    total.created += created
    total.skipped += batch.length - created
  }
  const count = async (batch: Row[]) => {
    const taken = await takenEmails(db, batch.map((row) => row.emailNormalized))
    return batch.filter(({ emailNormalized }) => !taken.has(emailNormalized) && !seen.has(emailNormalized) && seen.add(emailNormalized)).length
  }

  let batch: Row[] = []
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
    if (text.trim() === '') continue
    try {
      batch.push(prepareUser(check(parseJson(text)) as User, knownRoles))
    } catch (error) {
      total.bad += 1
      if (total.bad <= toldLines) bar.tell(`line ${number}: ${explain(error).message.replace(/\n\s*/g, ' ')}`)
      if (total.bad === toldLines) bar.tell('further bad lines are only counted')
    }
    if (batch.length < batchSize) continue
    await write(batch)
    batch = []
    bar.at('bytesRead' in input ? input.bytesRead : number, total.created)
  }
  await write(batch)
  bar.stop()
  return total
}

/** A bar on a terminal, where the size is known; messages go above it. */
function progress (file: string) {
  const bar = process.stderr.isTTY && file !== '-'
    ? new cliProgress.SingleBar({ format: 'importing [{bar}] {percentage} %, {created} users, {eta_formatted} left', stream: process.stderr, clearOnComplete: true, hideCursor: true }, cliProgress.Presets.shades_classic)
    : undefined
  bar?.start(statSync(file).size, 0, { created: 0 })
  return {
    at: (bytes: number, created: number) => bar?.update(bytes, { created }),
    tell: (message: string) => process.stderr.write(`${bar ? '\r\u001b[K' : ''}${message}\n`),
    stop: () => bar?.stop()
  }
}
