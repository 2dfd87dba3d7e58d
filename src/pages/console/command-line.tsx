import { Copy } from './copy.tsx'

/** A word, or an option with its value. */
export type Word = string | readonly [option: string, value: string | undefined]

interface CommandLineProps {
  /** The command and its arguments. An option without a value is left out. */
  words: readonly Word[]
  /** The same as a call of the API: path and query of a GET. */
  path?: string
}

/** The same on the command line: production is administered there. */
export function CommandLine({ words, path }: CommandLineProps) {
  const parts = words.flatMap((word) => {
    if (typeof word === 'string') return [word]
    const [option, value] = word
    return value === undefined ? [] : [option, quoted(value)]
  })
  const command = ['portal', ...parts].join(' ')
  const curl =
    path === undefined ? undefined : `curl -b cookies.txt ${quoted(location.origin + path)}`
  return (
    <>
      <p class="command">
        The same on the command line: <code>{command}</code> <Copy text={command} what="command" />
      </p>
      {curl !== undefined && (
        <p class="command">
          The same with a session in <code>cookies.txt</code>: <code>{curl}</code>{' '}
          <Copy text={curl} what="call" />
        </p>
      )}
    </>
  )
}

/** For a POSIX shell. */
const quoted = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
