import type { OutboxRow } from '../../db/schema/outbox.ts'
import type { Services } from '../domain/sign-in/services.ts'
import { mailNotFound } from '../domain/errors.ts'
import { openCaught } from '../domain/outbox/caught.ts'
import { isRequest } from '../domain/outbox/payload.ts'
import { renderMail } from './mails.ts'
import type { MailSettings } from './writer.ts'

/** More would be slow to write out, and nobody reads them. */
const mostShown = 100
const mostSearched = 1000

interface Which {
  id?: string | undefined
  kind?: OutboxRow['kind'] | undefined
  /** Part of the address or of the subject. */
  q?: string | undefined
}

/** The newest mail that was caught in development, each as it would have been sent. */
export async function writeCaught(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  settings: MailSettings,
  { q = '', ...which }: Which = {}
) {
  const limit = q === '' ? mostShown : mostSearched
  const rows = mail ? await openCaught(db, mail.sealing, { ...which, limit }) : []
  const wanted = q.toLowerCase()
  return rows
    .flatMap(({ id, userId, createdAt, payload }) => {
      // Never a request: the worker replaced it by its mail before it caught that.
      if (isRequest(payload)) return []
      const { to, reader, content } = payload
      const written = renderMail(content, to, reader, settings)
      return [{ id, userId, kind: content.kind, to, at: createdAt, ...written }]
    })
    .filter(({ to, subject }) => `${to}\n${subject}`.toLowerCase().includes(wanted))
    .slice(0, mostShown)
}

/** One of them. Throws `mail-not-found`. */
export async function findCaught(
  services: Pick<Services, 'db' | 'mail'>,
  settings: MailSettings,
  id: string
) {
  const [mail] = await writeCaught(services, settings, { id })
  if (!mail) throw mailNotFound()
  return mail
}
