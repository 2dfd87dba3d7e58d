import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text as readAll } from 'node:stream/consumers'
import { Option } from 'commander'
import type { Command } from 'commander'
import { DomainError } from '../domain/domain-error.ts'
import {
  acceptHash,
  importUsers,
  prepareUser,
  roleIds,
  takenEmails
} from '../domain/administration/import.ts'
import type { PasswordChoice } from '../domain/administration/import.ts'
import { normalizeEmail } from '../domain/users/emails.ts'
import { TransferredUser } from '../schemas/transfer.ts'
import { explain, UsageError } from './errors.ts'
import { exitCodes } from './exit-codes.ts'
import { checker, parseJson } from './input.ts'
import { firebaseParameters, sources } from './import-sources.ts'
import { asData, example } from './options.ts'
import { printJson, say } from './output.ts'
import { withPortal } from './portal.ts'
import type { Portal } from './portal.ts'
import { openInput, readPassword } from './terminal.ts'

const batchSize = 1000
/** Further invalid lines are only counted: in a wrong file, every line is invalid. */
const reportedLines = 100

type Row = ReturnType<typeof prepareUser>
type ImportOptions = PasswordChoice & {
  dryRun?: true
  from?: string
  firebaseParameters?: string
  probe?: string
  passwordFile?: string
}

export function addImportCommand(program: Command) {
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
      .addOption(
        new Option('--from <system>', 'the lines are an export of this system').choices(
          Object.keys(sources)
        )
      )
      .option('--firebase-parameters <file>', 'password hash parameters of a Firebase project')
      .option('--probe <email>', 'first ask for the password of this user, and verify it')
      .option('--password-file <file>', 'read that password from a file; - for stdin')
      .option('--no-passwords', 'import users without their passwords')
      .option('--drop-unsafe-hashes', 'import a user without a password whose hash is not safe'),
    'portal import users users.ndjson',
    'portal import users users.ndjson --dry-run',
    'portal import users users.ndjson --from keycloak --probe ada@example.com'
  ).action(async (file: string, { json, ...options }: ImportOptions & { json?: true }) =>
    withPortal(async (portal) => {
      const { dryRun } = options
      const knownRoles = await roleIds(portal.db)
      const read = await lineReader(knownRoles, options)
      if (options.probe !== undefined) await probe(portal, file, read, options)
      const { created, skipped, bad } = await importFile(portal, file, read, { knownRoles, dryRun })
      say(
        `${dryRun ? 'would import' : 'imported'} ${created}, skipped ${skipped} existing, ` +
          `rejected ${bad}`
      )
      if (json) await printJson({ created, skipped, bad })
      if (bad > 0) process.exitCode = exitCodes.failed
    })
  )
}

type ReadLine = (text: string) => Row
type Roles = Awaited<ReturnType<typeof roleIds>>

/** Reads a line into rows. The function throws a refusal that names the invalid fields. */
async function lineReader(knownRoles: Roles, options: ImportOptions): Promise<ReadLine> {
  const { from, firebaseParameters: file } = options
  const firebase =
    file === undefined ? undefined : firebaseParameters(await readAll(await openInput(file)))
  const needsThem = from === 'firebase' && options.passwords !== false
  if (needsThem && !firebase) {
    throw new UsageError(
      'Firebase needs --firebase-parameters: a file with base64_signer_key, ' +
        'base64_salt_separator, rounds and mem_cost, as its console shows them. ' +
        'Or import without passwords: --no-passwords.'
    )
  }
  const check = await checker(TransferredUser)
  const accept = (read: () => string) => acceptHash(read, options)
  const source = from === undefined ? undefined : sources[from]
  return (text) => {
    const given = parseJson(text)
    const fields = typeof given === 'object' && given ? { ...given } : {}
    const line = source ? source(fields, { firebase, accept }) : given
    return prepareUser(check(line), knownRoles, options)
  }
}

/** Verifies one password, so that wrong parameters show before anything is imported. */
async function probe({ passwords }: Portal, file: string, read: ReadLine, options: ImportOptions) {
  const { probe: email = '', passwordFile } = options
  if (file === '-') throw new UsageError('--probe reads the file twice, so it cannot be stdin.')
  const hash = await findHash(file, read, normalizeEmail(email))
  if (hash === undefined) throw new UsageError(`The file has no user ${email} with a password.`)
  const password = await readPassword(passwordFile, async () => {})
  if (!(await passwords.verify(password, hash))) {
    throw new UsageError(
      `The password of ${email} does not match. Nothing was imported. Check the password, and ` +
        'the parameters of the hashes.'
    )
  }
  say(`the password of ${email} matches`)
}

async function findHash(file: string, read: ReadLine, email: string | undefined) {
  for await (const line of createInterface({ input: await openInput(file), crlfDelay: Infinity })) {
    if (line.trim() === '') continue
    try {
      const row = read(line.replace(/^\uFEFF/, ''))
      if (row.emailNormalized === email && row.passwordHash) return row.passwordHash
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof UsageError)) throw error
    }
  }
  return undefined
}

async function importFile(
  { db, actor }: Portal,
  file: string,
  read: ReadLine,
  { knownRoles, dryRun }: { knownRoles: Roles; dryRun: true | undefined }
) {
  const total = { created: 0, skipped: 0, bad: 0 }
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
      return read(text)
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
