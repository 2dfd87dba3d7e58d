const maxLength = 300

/**
 * The sentence of a mail server for the outbox, the log and the audit trail. Servers repeat the
 * address, links of the mail and long identifiers, which stay out of these.
 * @param address of the recipient, normalized
 */
export function withoutValues(reply: string, address: string): string {
  const [name = ''] = address.split('@')
  return reply
    .split(/\s/)
    .map((word) => (/https?:\/\//i.test(word) ? word.split(/[?#]/, 1)[0] : word))
    .map((word) => (word?.includes('@') ? '[address]' : without(name, word ?? '')))
    .join(' ')
    .replace(/[\w+/=-]{24,}/g, '[...]')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .slice(0, maxLength)
    .trim()
}

/** A word without the local part of an address, unless it is a part of a longer one. */
function without(name: string, word: string): string {
  const at = name === '' ? -1 : word.toLowerCase().indexOf(name)
  if (at < 0) return word
  const after = word.slice(at + name.length)
  const isWhole = !/[\p{L}\p{N}]$/u.test(word.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(after)
  return (
    word.slice(0, at) +
    (isWhole ? '[address]' : word.slice(at, at + name.length)) +
    without(name, after)
  )
}
