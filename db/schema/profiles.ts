import { text } from 'drizzle-orm/pg-core'

interface FieldSource {
  /** In code points. */
  maxLength: number
  description?: string
  example: string
}

/**
 * The fields of a profile. The API document and the options of the command line follow from this
 * table, and the compiler reports what else a new field needs.
 */
export const profileFields = {
  bio: { maxLength: 500, example: 'Wrote the first program.' },
  avatarUrl: {
    maxLength: 2048,
    description: 'https URL of an image',
    example: 'https://example.com/ada.png'
  },
  website: { maxLength: 2048, description: 'https URL', example: 'https://example.com/' },
  location: { maxLength: 80, example: 'London' },
  pronouns: { maxLength: 40, example: 'she/her' },
  locale: { maxLength: 35, description: 'Language tag (BCP 47)', example: 'en-GB' },
  timeZone: {
    maxLength: 64,
    description: 'Time zone name (IANA time zone database)',
    example: 'Europe/London'
  }
} as const satisfies Record<string, FieldSource>

export type ProfileField = keyof typeof profileFields
export const profileFieldNames = Object.keys(profileFields) as ProfileField[]

export const profileColumns = {
  bio: text('bio'),
  avatarUrl: text('avatar_url'),
  website: text('website'),
  location: text('location'),
  pronouns: text('pronouns'),
  locale: text('locale'),
  timeZone: text('time_zone')
} satisfies Record<ProfileField, unknown>
