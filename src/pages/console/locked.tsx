import type { ComponentChildren } from 'preact'
import { Action } from '../shared/form.tsx'
import type { ActionProps } from '../shared/form.tsx'
import { commandOf } from './command-line.tsx'
import type { Words } from './command-line.tsx'
import { mayWrite } from './may.ts'
import { report } from './shell/status.tsx'

interface LockedProps {
  label: ComponentChildren
  /** The command that does the same. */
  words: Words
}

/**
 * In place of a button that changes something, where the console only reads. It can be reached with
 * the keyboard, and says what to do instead.
 */
export const Locked = ({ label, words }: LockedProps) => (
  <button
    type="button"
    class="locked"
    aria-disabled="true"
    title={commandOf(words)}
    onClick={() => report(`This console only reads. On the command line: ${commandOf(words)}`)}
  >
    {label}
  </button>
)

/** A button that changes something by itself. */
export const Change = ({ words, ...action }: ActionProps & { words: Words }) =>
  mayWrite() ? <Action {...action} /> : <Locked label={action.label} words={words} />
