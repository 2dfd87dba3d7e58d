import type { Services } from '../domain/sign-in/services.ts'
import { mailNotFound } from '../domain/errors.ts'
import { openCaught } from '../domain/outbox/caught.ts'
import { isRequest } from '../domain/outbox/payload.ts'
import { renderMail } from './mails.ts'
import type { MailSettings } from './writer.ts'

/** The newest mail that was caught in development, each as it would have been sent. */
export async function writeCaught(
  { db, mail }: Pick<Services, 'db' | 'mail'>,
  settings: MailSettings,
  id?: string
) {
  const rows = mail ? await openCaught(db, mail.sealing, id) : []
  return rows.flatMap(({ id, createdAt, payload }) => {
    // Never a request: the worker replaced it by its mail before it caught that.
    if (isRequest(payload)) return []
    const { to, reader, content } = payload
    return [{ id, kind: content.kind, to, at: createdAt, ...renderMail(content, reader, settings) }]
  })
}

/** One of them. Throws `mail-not-found`. */
export async function findCaught(
  services: Pick<Services, 'db' | 'mail'>,
  settings: MailSettings,
  id: string
) {
  const [mail] = await writeCaught(services, settings, id)
  if (!mail) throw mailNotFound()
  return mail
}
