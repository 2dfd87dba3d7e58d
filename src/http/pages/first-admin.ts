import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { adminPasswordFile } from '../../config/development-files.ts'
import { firstAdminEmail } from '../../domain/administration/first-admin.ts'

/**
 * The administrator of the first start, if its password is kept in a file. Not the password itself:
 * other users of the machine can read the pages that say this.
 */
export function firstAdminOf({ config, database }: FastifyInstance) {
  const passwordFile = adminPasswordFile(config.DATABASE_URL, database.label)
  return existsSync(passwordFile) ? { email: firstAdminEmail, passwordFile } : undefined
}
