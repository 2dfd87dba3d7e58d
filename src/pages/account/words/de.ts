import type { Translation } from '../../shared/say.ts'
import { de as shared } from '../../shared/words/de.ts'
import type { en } from './en.ts'

export const de: Translation<keyof typeof en> = {
  ...shared,
  'not-found': 'Seite nicht gefunden',
  'not-found-text': 'Unter dieser Adresse gibt es keine Seite.',
  'sign-in-to': 'Bei {product} anmelden',
  'signed-in-as': 'Sie sind als {email} angemeldet.',
  'sign-out': 'Abmelden'
}
