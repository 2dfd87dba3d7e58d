const longest = 40

/**
 * A user's name as a mail may show it, else undefined: short, and without what looks like a link or
 * like markup. Only mail to a confirmed address has a name, but a thief can change it, and users
 * who are imported bring one.
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
