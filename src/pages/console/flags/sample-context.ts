import { refuse } from './form.ts'
import { parse, valueOf } from './when-form.ts'

/** Reads attributes as `portal flag try --attribute` does: one a line, with text or JSON. */
export function attributesOf(text: string): Record<string, unknown> {
  const lines = text.split('\n').filter((line) => line.includes('='))
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split('=')
      return [name.trim(), valueOf(value.join('=').trim())]
    })
  )
}

/** App settings: an object in JSON, or paths as in `limits.projects=10`. Undefined without any. */
export function settingsOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined
  if (text.trimStart().startsWith('{')) {
    const value = parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
    const message = 'This is not JSON.'
    throw refuse(message, ['/context/appSettings', message])
  }
  const settings: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(attributesOf(text))) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place = settings
    for (const name of names) {
      const known = Object.hasOwn(place, name) ? place[name] : undefined
      const inner = typeof known === 'object' ? known : {}
      place[name] = inner
      place = inner as Record<string, unknown>
    }
    place[last] = value
  }
  return settings
}
