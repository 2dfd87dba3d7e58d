export const wide = (length: number) => 'W'.repeat(length)
export const names = [
  '<script>alert(1)</script><b onclick=alert(2)>Bobby</b>"\'&amp;',
  wide(80),
  'مستخدم بالعربية من اليمين إلى اليسار (admin@example.com)',
  '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(6),
  'Zo\u0301e \u200B\u00AD Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢'
] as const

/** Builds the longest possible address. */
export const longAddress = (start: string) =>
  `${start.padEnd(64, 'w')}@${'w'.repeat(61)}.${'w'.repeat(61)}.${'w'.repeat(57)}.example`

/** Builds a key without a place to break it. */
export const key = (length: number) => `a${'w'.repeat(length - 1)}`

export const description = `<u>${wide(140)}</u> ${'وصف طويل '.repeat(14)}`.slice(0, 300)
