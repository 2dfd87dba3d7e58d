import path from 'node:path'

export const modes = ['production', 'development'] as const

export const fileOf = (mode: (typeof modes)[number]) =>
  path.join(import.meta.dirname, mode === 'production' ? 'portal.json' : 'portal.dev.json')
