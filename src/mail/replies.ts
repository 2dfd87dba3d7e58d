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
    .map((word) => (word?.includes('@') ? '[address]' : word))
    .join(' ')
    .replace(/[\p{L}\p{N}_+-]+(?:\.[\p{L}\p{N}_+-]+)*/gu, (word) =>
      word.toLowerCase() === name ? '[address]' : word
    )
    .replace(/[\w+/=-]{24,}/g, '[...]')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .slice(0, maxLength)
    .trim()
}
