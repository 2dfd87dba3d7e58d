import t from 'tap'
import { mistakeIn } from '../shared/validity.ts'

const control = { type: 'text', title: '', minLength: 8, maxLength: 128 }
const own = 'The browser says it in its own language'
const mistakeOf = (validity: Partial<ValidityState>, changes: Partial<typeof control> = {}) =>
  mistakeIn(
    // Like those of an element, these are not properties of its own.
    Object.create({
      ...control,
      ...changes,
      validationMessage: own,
      validity: { valid: false, ...validity } as ValidityState
    })
  )

t.test('a mistake that a browser finds is reported in the language of the page', async (t) => {
  t.equal(mistakeOf({ valid: true }), undefined)
  const found: [Partial<ValidityState>, Partial<typeof control>, RegExp][] = [
    [{ valueMissing: true }, {}, /Fill in/],
    [{ typeMismatch: true }, { type: 'email' }, /e-mail address/],
    [{ typeMismatch: true }, { type: 'url' }, /https/],
    [{ tooShort: true }, {}, /at least 8 characters/],
    [{ tooLong: true }, {}, /at most 128 characters/],
    [{ patternMismatch: true }, { title: 'Six digits' }, /Six digits/],
    [{ patternMismatch: true }, {}, /right form/],
    [{ badInput: true }, { title: 'When' }, /right form/]
  ]
  for (const [validity, changes, expected] of found) {
    t.match(mistakeOf(validity, changes), expected)
    t.not(mistakeOf(validity, changes), own)
  }
})

t.test('a mistake that a view finds is reported in its own words', async (t) => {
  t.equal(mistakeOf({ customError: true }), own)
})
