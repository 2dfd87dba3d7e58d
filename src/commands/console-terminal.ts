import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Life } from './console-life.ts'

const signals = {
  SIGINT: 'Ctrl-C',
  SIGTERM: 'SIGTERM',
  SIGHUP: 'the terminal has closed'
} as const

/** What the operator types, and the end of the terminal that they type in. */
export function openTerminal(life: Life) {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd))
  for (const [signal, reason] of Object.entries(signals)) {
    process.on(signal, () => life.end(reason))
  }
  // Without a terminal, as in `ssh HOST portal console`, nothing sends SIGHUP at its end.
  if (hasOtherEnd()) process.stdin.on('close', () => life.end('its input has ended'))
  process.stdin.on('error', () => {}) // the terminal has closed
  return {
    /** Whether it was closed: then nothing can be written to it. */
    isGone: () => !terminals.every((fd) => isatty(fd)),
    onEnter(print: () => void) {
      process.stdin.on('data', (typed) => {
        if (typed.includes('\n')) print()
      })
    },
    /**
     * Ends the process as SIGHUP does by itself. Node aborts when it exits after its terminal has
     * gone, and the system may keep a copy of its memory, which has the keys of the portal.
     */
    hangUp() {
      process.removeAllListeners('SIGHUP')
      process.kill(process.pid, 'SIGHUP')
    }
  }
}

/** Whether somebody holds the other end of the input. With /dev/null or a file, nobody types. */
function hasOtherEnd() {
  const input = fstatSync(0)
  return isatty(0) || input.isFIFO() || input.isSocket()
}
