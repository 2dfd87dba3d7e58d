import { useLayoutEffect } from 'preact/hooks'
import { useGet } from '../shared/load.tsx'
import { user } from '../shared/session.ts'
import { ifAllowed } from '../shared/storage.ts'
import { applyTheme, keptTheme } from '../shared/theme.ts'
import { speakFor } from './say.ts'

/** The choices of the user that this browser showed last. */
const place = (name: 'language' | 'theme') => `account-${name}`
const keep = (name: 'language' | 'theme', value: string | null) =>
  ifAllowed(() =>
    value === null ? localStorage.removeItem(place(name)) : localStorage.setItem(place(name), value)
  )

/** Shows the pages as before, until they know their user. Call it before anything is shown. */
export function showAsBefore() {
  applyTheme(keptTheme(place('theme')))
  return speakFor(ifAllowed(() => localStorage.getItem(place('language'))))
}

/** Shows the pages in the language and the theme of their user, also at the next load. */
export function Own() {
  const profile = useGet('/api/user/profile')
  const locale = profile.value?.locale
  const theme = user.value?.theme
  useLayoutEffect(() => {
    if (locale === undefined) return
    keep('language', locale)
    void speakFor(locale)
  }, [locale])
  useLayoutEffect(() => {
    if (theme === undefined) return
    keep('theme', theme)
    applyTheme(theme)
  }, [theme])
  return null
}
