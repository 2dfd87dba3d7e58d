import { eq } from 'drizzle-orm'
import { users } from '../../../db/schema/users.ts'
import { isOf } from '../throttling/devices.ts'
import type { Services } from './services.ts'

/** The device of a cookie, if it is genuine, and valid for its account. */
export async function findDevice(
  { db, devices, gate }: Pick<Services, 'db' | 'devices' | 'gate'>,
  cookie: string | undefined
) {
  const device = devices.read(cookie)
  if (!device) return undefined
  const find = () =>
    db
      .select({ id: users.id, credentialVersion: users.credentialVersion })
      .from(users)
      .where(eq(users.id, device.id))
  const [account] = await gate.lookUpInTurn(Buffer.from(device.id), find)
  return account && isOf(device, account) ? device : undefined
}
