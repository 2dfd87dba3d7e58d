import { Type } from '@sinclair/typebox'
import type { StringOptions, TUnsafe } from '@sinclair/typebox'
import { profileFields } from '../../db/schema/profiles.ts'
import type { ProfileField } from '../../db/schema/profiles.ts'
import { closed, nullable, text } from './primitives.ts'

const fields = Object.fromEntries(
  Object.entries(profileFields).map(([field, { maxLength, example, ...words }]) => {
    const options: StringOptions = { ...words, examples: [example] }
    return [field, nullable(text(maxLength, options))]
  })
) as Record<ProfileField, TUnsafe<string | null>>

export const Profile = closed(fields, { $id: 'Profile', description: 'Profile of a user' })

/** These limits only bound the work; the domain validates URLs, language tags and time zones. */
export const ProfilePatch = closed(Type.Partial(Type.Object(fields)).properties, {
  $id: 'ProfilePatch',
  minProperties: 1,
  description: 'Merge patch: omitted fields keep their value, null clears a field'
})
