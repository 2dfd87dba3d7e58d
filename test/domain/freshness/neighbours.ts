import { randomUUID } from 'node:crypto'
import { userPart } from '../../../db/schema/epochs.ts'

/** An id of another user of the same shard, and of the same part or not. */
export function neighbour(id: string, samePart = false) {
  const part = samePart ? userPart(id) : (userPart(id) + 1) % 256
  return randomUUID().slice(0, -4) + part.toString(16).padStart(2, '0') + id.slice(-2)
}
