import { signal } from '@preact/signals'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'theme'

/** The theme of this browser, which the reader chose before. */
export const theme = signal<Theme>(kept() ?? 'system')

/** Call it before anything is shown, or the page flashes. */
export function applyTheme(next: Theme = theme.value) {
  theme.value = next
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
}

export function chooseTheme(next: Theme) {
  applyTheme(next)
  try {
    localStorage.setItem(place, next)
  } catch {
    // A browser that keeps nothing: the choice holds until the page is loaded again.
  }
}

function kept() {
  try {
    return themes.find((each) => each === localStorage.getItem(place))
  } catch {
    return undefined
  }
}
