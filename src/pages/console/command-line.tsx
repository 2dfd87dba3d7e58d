import { Fragment } from 'preact'
import { report, reportFailure } from './shell/status.tsx'

interface CopyProps {
  text: string
  /** The name of the text, such as `command`. */
  what: string
}

/** A quiet button that copies a text. */
export const Copy = ({ text, what }: CopyProps) => (
  <button
    type="button"
    class="plain copy"
    title={`Copy the ${what}`}
    onClick={() => {
      void copy(text, what)
    }}
  >
    Copy<span class="unseen"> the {what}</span>
  </button>
)

async function copy(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text)
    report(`The ${what} is in the clipboard.`)
  } catch {
    reportFailure(`The browser does not allow copying: select the ${what} instead.`)
  }
}

/** A word, or an option with its value. */
export type Word = string | readonly [option: string, value: string | undefined]

export type Words = readonly Word[]

interface CommandLineProps {
  /** The command and its arguments. An option without a value is left out. */
  words: Words
}

/** Offers the command that does the same, because production is administered with commands. */
export const CommandLine = ({ words }: CommandLineProps) => <Command command={commandOf(words)} />

interface CommandProps {
  /** Several have a line each. */
  command: string
  /** Whether it is shown at first, where it is the next step. */
  isOpen?: boolean
}

/** A command that can be copied, behind a button. */
export const Command = ({ command, isOpen = false }: CommandProps) => (
  <details class="command" open={isOpen}>
    <summary>
      <span aria-hidden="true">&gt;_</span> Command line
    </summary>
    {command.split('\n').map((line) => (
      <p key={line}>
        <code>
          {line.split(' ').map((word, place) => (
            <Fragment key={place}>
              <span>{word}</span>{' '}
            </Fragment>
          ))}
        </code>{' '}
        <Copy text={line} what="command" />
      </p>
    ))}
  </details>
)

/** The words as one types them. */
export function commandOf(words: Words) {
  const parts = words.flatMap((word) => {
    if (typeof word === 'string') return [word]
    const [option, value] = word
    return value === undefined ? [] : [option, quoted(value)]
  })
  return ['portal', ...parts].join(' ')
}

/** For a POSIX shell. */
export const quoted = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
