/** A word, or an option with its value. */
type Word = string | readonly [option: string, value: string | undefined]

/**
 * The same on the command line: production is administered there.
 * @param words the command and its arguments; an option without a value is left out
 */
export function CommandLine({ words }: { words: readonly Word[] }) {
  const parts = words.flatMap((word) => {
    if (typeof word === 'string') return [word]
    const [option, value] = word
    return value === undefined ? [] : [option, quoted(value)]
  })
  return (
    <p class="command">
      The same on the command line: <code>{['portal', ...parts].join(' ')}</code>
    </p>
  )
}

/** For a POSIX shell. */
const quoted = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
