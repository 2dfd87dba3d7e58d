import { useEditor } from './fields.tsx'
import type { FlagForm } from './form.ts'

/** All mistakes, each with a link to its field. */
export function Mistakes() {
  const { form, mistakes, focus } = useEditor()
  const places = Object.keys(mistakes)
  if (places.length === 0) return null
  return (
    <ul class="mistakes">
      {places.map((place) => (
        <li key={place}>
          <a
            href={`#${place}`}
            onClick={(event) => {
              event.preventDefault()
              focus(place)
            }}
          >
            {nameOf(place, form)}
          </a>
          : {mistakes[place]}
        </li>
      ))}
    </ul>
  )
}

const names: Record<string, string> = {
  key: 'Key',
  description: 'Description',
  variants: 'Variants',
  rules: 'Rules',
  defaultVariant: 'Default',
  offVariant: 'When disabled',
  json: 'JSON',
  users: 'targeting keys',
  appSettings: 'app settings'
}

function nameOf(place: string, { variants, rules }: FlagForm) {
  const [part = '', id, inner = ''] = place.split('/')
  if (part === 'rules' && id !== undefined) {
    return `Rule ${rules.findIndex((rule) => rule.id === id) + 1}, ${names[inner] ?? inner}`
  }
  const variant = part === 'variants' ? variants.find((each) => each.id === id) : undefined
  return variant ? `Variant ${variant.name}` : (names[part] ?? part)
}
