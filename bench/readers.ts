import { once } from 'node:events'
import { drive, requestOf } from './load.ts'
import type { Load } from './load.ts'

// The process of the readers in bench/public-reads.ts.

const begin = once(process, 'message')
process.send?.('ready')
type Reading = Omit<Load, 'requests'> & Parameters<typeof requestOf>[0]
const [load] = (await begin) as [Reading]
process.send?.(await drive({ ...load, requests: [requestOf(load)] }))
process.disconnect()
