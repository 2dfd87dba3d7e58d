import { say } from './say.ts'

type Checked = Pick<
  HTMLInputElement,
  'validity' | 'validationMessage' | 'type' | 'title' | 'minLength' | 'maxLength'
>

/**
 * The mistake that a browser finds in a control, in the language of the page: its own messages are
 * in that of the browser.
 */
export function mistakeIn(control: Checked): string | undefined {
  const { validity } = control
  if (validity.valid) return undefined
  if (validity.valueMissing) return say('field-missing')
  if (validity.typeMismatch) return say(control.type === 'url' ? 'field-url' : 'field-email')
  if (validity.tooShort) return say('field-short', { least: control.minLength })
  if (validity.tooLong) return say('field-long', { most: control.maxLength })
  // A view has set this message in its own words.
  if (validity.customError) return control.validationMessage
  return validity.patternMismatch && control.title !== '' ? control.title : say('field-malformed')
}
