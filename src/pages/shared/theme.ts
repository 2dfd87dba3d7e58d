import { signal } from '@preact/signals'
import { ifAllowed } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** For pages in English. */
export const themeNames = { system: 'As the system', light: 'Light', dark: 'Dark' }

const place = 'theme'

export const theme = signal<Theme>('system')

/** The theme that the reader chose before in this browser. */
export const keptTheme = (where = place) =>
  ifAllowed(() => themes.find((each) => each === localStorage.getItem(where))) ?? 'system'

/** Call it before anything is shown, or the page flashes. */
export function applyTheme(next: Theme = keptTheme()) {
  theme.value = next
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
}

/** Where the browser keeps nothing, the choice holds until the page is loaded again. */
export function chooseTheme(next: Theme) {
  applyTheme(next)
  ifAllowed(() => localStorage.setItem(place, next))
}
