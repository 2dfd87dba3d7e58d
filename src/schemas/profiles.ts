import { Type } from '@sinclair/typebox'
import type { StringOptions, TUnsafe } from '@sinclair/typebox'
import { profileFields, profileLength } from '../../db/schema/users.ts'
import type { ProfileField } from '../../db/schema/users.ts'
import { closed, nullable, text } from './primitives.ts'

const words = {
  bio: { examples: ['Wrote the first program.'] },
  avatarUrl: { description: 'https URL of an image', examples: ['https://example.com/ada.png'] },
  website: { description: 'https URL', examples: ['https://example.com/'] },
  location: { examples: ['London'] },
  pronouns: { examples: ['she/her'] },
  locale: { description: 'Language tag (BCP 47)', examples: ['en-GB'] },
  timeZone: { description: 'Time zone name (IANA time zone database)', examples: ['Europe/London'] }
} satisfies Record<ProfileField, StringOptions>

const fields = Object.fromEntries(
  profileFields.map((field) => [field, nullable(text(profileLength[field], words[field]))])
) as Record<ProfileField, TUnsafe<string | null>>

export const Profile = closed(fields, { $id: 'Profile', description: 'Profile of a user' })

/** These limits only bound the work; the domain validates URLs, language tags and time zones. */
export const ProfilePatch = closed(Type.Partial(Type.Object(fields)).properties, {
  $id: 'ProfilePatch',
  minProperties: 1,
  description: 'Merge patch: omitted fields keep their value, null clears a field'
})
