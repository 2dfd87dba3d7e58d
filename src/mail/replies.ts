const maxLength = 300

/**
 * The sentence of a mail server for the outbox, the log and the audit trail. Servers repeat the
 * address, links of the mail and long identifiers, which stay out of these.
 * @param address of the recipient, normalized
 */
export function withoutValues(reply: string, address: string): string {
  const [name = ''] = address.split('@')
  return reply
    .replace(/(https?:\/\/[^\s?#]+)[?#]\S*/gi, '$1')
    .replace(/\S+@\S+/g, '[address]')
    .replace(/[\p{L}\p{N}_+-]+(?:\.[\p{L}\p{N}_+-]+)*/gu, (word) =>
      word.toLowerCase() === name ? '[address]' : word
    )
    .replace(/[\w+/=-]{24,}/g, '[...]')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .slice(0, maxLength)
    .trim()
}
