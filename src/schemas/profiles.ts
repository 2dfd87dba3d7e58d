import { Type } from '@sinclair/typebox'
import { profileLength } from '../../db/schema/users.ts'
import { closed, nullable, text } from './primitives.ts'

const words = {
  bio: { examples: ['Wrote the first program.'] },
  avatarUrl: { description: 'https URL of an image', examples: ['https://example.com/ada.png'] },
  website: { description: 'https URL', examples: ['https://example.com/'] },
  location: { examples: ['London'] },
  pronouns: { examples: ['she/her'] },
  locale: { description: 'Language tag (BCP 47)', examples: ['en-GB'] },
  timeZone: { description: 'Time zone name (IANA time zone database)', examples: ['Europe/London'] }
}

const field = (name: keyof typeof profileLength) => nullable(text(profileLength[name], words[name]))

const fields = {
  bio: field('bio'),
  avatarUrl: field('avatarUrl'),
  website: field('website'),
  location: field('location'),
  pronouns: field('pronouns'),
  locale: field('locale'),
  timeZone: field('timeZone')
}

export const Profile = closed(fields, {
  $id: 'Profile',
  description: 'Profile of a user'
})

/** These limits only bound the work; the domain validates URLs, language tags and time zones. */
export const ProfilePatch = closed(Type.Partial(Type.Object(fields)).properties, {
  $id: 'ProfilePatch',
  minProperties: 1,
  description: 'Merge patch: omitted fields keep their value, null clears a field'
})
