import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Cost, CostName } from './costs.ts'

interface Event<T> {
  /** Each is used once. */
  items: readonly T[]
  work: (item: T) => Promise<unknown>
  /** Sessions or rows of an item: costs are given for one of them. */
  units?: number
  writes?: boolean
  /** Done once for all items, at the end: its time and WAL are spread over all of them. */
  after?: () => Promise<unknown>
}

/** Measures an event under a name. */
export type Measure = <T>(name: CostName, event: Event<T>) => Promise<void>

/** Milliseconds until all processes have read a changed setting. */
const settle = 200

/**
 * Measures events one after another, on an otherwise idle server.
 * @param monitor a connection with another name than the portal's
 */
export function createMeter(monitor: Sql) {
  const set = async (name: string, value: string) => {
    await monitor.unsafe(`alter system set ${name} = ${value}`)
    await monitor`select pg_reload_conf()`
    await sleep(settle)
  }
  const processes = async () => {
    const rows = await monitor<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name like 'portal%' order by pid`
    return rows.map(({ pid }) => pid)
  }
  const position = async () => {
    const [row] = await monitor<{ bytes: string }[]>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`
    return Number(row?.bytes)
  }

  /** Runs the work and returns its processor time and WAL. */
  async function meter(work: () => Promise<unknown>) {
    const [pids, from] = [await processes(), await position()]
    const before = pids.map(processorTime)
    await work()
    const after = pids.map(processorTime)
    if ((await processes()).join() !== pids.join()) {
      throw new Error('the portal has opened or closed a connection meanwhile: run it again')
    }
    const microseconds = after.reduce((sum, time, n) => sum + time - (before[n] ?? NaN), 0)
    return { microseconds, wal: (await position()) - from }
  }

  /** Counts the statements of the work. */
  async function count(work: () => Promise<void>) {
    await set('pg_stat_statements.track', 'top')
    await monitor`select pg_stat_statements_reset()`
    await work()
    const [row] = await monitor<{ statements: number; commits: number }[]>`
      select coalesce(sum(calls), 0)::int as statements,
        coalesce(sum(calls) filter (where query ilike 'commit'), 0)::int as commits
      from pg_stat_statements where query !~ 'pg_stat_|pg_current_wal|pg_reload'`
    await set('pg_stat_statements.track', 'none')
    return row ?? { statements: 0, commits: 0 }
  }

  return async function measure<T>({
    items,
    work,
    units = 1,
    writes = false,
    after = async () => {}
  }: Event<T>): Promise<Cost> {
    const [warmUp, withoutImages] = [Math.ceil(items.length / 10), Math.ceil(items.length * 0.6)]
    const all = (from: number, to: number) => async () => {
      for (const item of items.slice(from, to)) await work(item)
    }
    const counted = await count(all(0, warmUp))
    await set('full_page_writes', 'off')
    await monitor`checkpoint`
    const base = await meter(all(warmUp, withoutImages))
    await set('full_page_writes', 'on')
    await monitor`checkpoint`
    const full = await meter(all(withoutImages, items.length))
    const last = await meter(after)
    const each = (value: number, from: number, to: number) => value / (to - from) / units
    return {
      microseconds:
        each(base.microseconds, warmUp, withoutImages) + each(last.microseconds, 0, items.length),
      wal: writes ? each(base.wal, warmUp, withoutImages) + each(last.wal, 0, items.length) : 0,
      walFull: writes
        ? each(full.wal, withoutImages, items.length) + each(last.wal, 0, items.length)
        : 0,
      statements: each(counted.statements, 0, warmUp),
      commits: writes ? each(counted.commits || warmUp, 0, warmUp) : 0
    }
  }
}

/** In microseconds, since the start of the process (Linux). */
const processorTime = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
