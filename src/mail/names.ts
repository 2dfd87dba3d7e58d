const longest = 40

/**
 * A user's name as a mail may show it, else undefined. The name is the only thing in a mail that a
 * stranger can choose, by registering with somebody else's address. So it must not look like a link
 * or like markup, and it is short. Otherwise registration could be used to send advertising.
 */
export function nameForMail(name: string | null | undefined): string | undefined {
  const cleaned = (name ?? '')
    .normalize('NFKC') // other forms of letters and full stops, such as full-width ones
    .replace(/[^\p{L}\p{M}\p{N} .,'’()-]/gu, ' ')
    .replace(/\.(?=[^ ])/g, ' ')
    .replace(/https?|www/gi, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  const short = [...cleaned].slice(0, longest).join('').trim()
  return /[\p{L}\p{N}]/u.test(short) ? short : undefined
}
