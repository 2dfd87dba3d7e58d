import type { Db } from '../../db/engine.ts'
import { findByRequest } from '../domain/activity/list.ts'
import { browserOf } from '../common/browsers.ts'
import type { Operator } from '../http/operator.ts'
import { withPeople } from '../http/user-labels.ts'
import { plain } from './output.ts'

export type ConsoleOutput = ReturnType<typeof createConsoleOutput>

/** Prints connections, and changes from the audit trail, on the terminal of the console. */
export function createConsoleOutput(db: Db) {
  let isSilent = false
  const print = (text: string) => {
    if (!isSilent) process.stdout.write(`${text}\n`)
  }
  /** A line with the time. */
  const say = (text: string) => print(`${new Date().toTimeString().slice(0, 8)}  ${plain(text)}`)
  return {
    print,
    say,
    silence() {
      isSilent = true
    },
    connected: (userAgent: string | undefined) =>
      say(`connected: ${browserOf(userAgent) ?? 'not a known browser'}`),
    /** Prints what the audit trail has of a request. Never rejects. */
    async changed(requestId: string) {
      try {
        const records = await findByRequest(db, requestId)
        for (const each of await withPeople(db, { permissions: ['users:read'] }, records)) {
          const { action, outcome, target, targetId, details, reason } = each
          const of = target?.email ?? details.key ?? details.email ?? targetId
          const more = [details.role, details.permission, outcome === 'failure' && `(${reason})`]
          say([action, of, ...more].filter(Boolean).join(' '))
        }
      } catch {
        say('The activity cannot be read.')
      }
    }
  }
}

interface Facts {
  environment: string
  operator: Pick<Operator, 'canWrite' | 'database'>
  /** Minutes. */
  idle: number
  hours: number
  tunnel: string | undefined
}

const modeOf = (canWrite: boolean) => (canWrite ? 'with changes allowed' : 'read only')

export const greeting = (
  { environment, operator: { canWrite, database }, idle, hours, tunnel }: Facts,
  link: string
) => `
Console of ${environment}, ${modeOf(canWrite)}, on ${plain(database)}.

  ${link}

The link works once, from this machine.${
  tunnel === undefined ? '' : ` From your own machine, first:\n\n  ${tunnel}\n`
}
Enter prints another link. Ctrl-C ends the console; it also ends after ${idle} minutes without a
request, and after ${hours} hours.
`

/** Milliseconds. */
interface Times {
  /** Without a request of the operator. */
  idle: number
  longest: number
}

export type ConsoleTimeout = ReturnType<typeof createConsoleTimeout>

/** How long a console lives: the first reason to end it counts. */
export function createConsoleTimeout({ idle, longest }: Times) {
  let end: (reason: string) => void = () => {}
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  const begin = () => setTimeout(() => end(`no request for ${duration(idle)}`), idle)
  let quiet = begin()
  const limit = setTimeout(() => end(`it has run for ${duration(longest)}`), longest)
  void ended.then(() => {
    clearTimeout(quiet)
    clearTimeout(limit)
  })
  return {
    ended,
    end,
    seen() {
      clearTimeout(quiet)
      quiet = begin()
    }
  }
}

function duration(milliseconds: number) {
  const minutes = Math.round(milliseconds / 60_000)
  if (minutes % 60 === 0 && minutes > 60) return `${minutes / 60} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
