import { Type } from '@sinclair/typebox'
import { profileLength } from '../../db/schema/users.ts'
import { closed, nullable, text } from './primitives.ts'

const words = {
  bio: { examples: ['Wrote the first program.'] },
  avatarUrl: { description: 'An https address', examples: ['https://example.com/ada.png'] },
  website: { description: 'An https address', examples: ['https://example.com/'] },
  location: { examples: ['London'] },
  pronouns: { examples: ['she/her'] },
  locale: { description: 'Language tag (BCP 47)', examples: ['en-GB'] },
  timeZone: { description: 'Name in the IANA time zone database', examples: ['Europe/London'] }
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
  description: 'What a user tells about themselves'
})

/** Bounds the work only: what an address, a language and a time zone may be is judged, and explained, by the domain. */
export const ProfilePatch = closed(Type.Partial(Type.Object(fields)).properties, {
  $id: 'ProfilePatch',
  minProperties: 1,
  description: 'Merge patch: absent leaves, null clears'
})
