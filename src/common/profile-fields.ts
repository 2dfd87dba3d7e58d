interface ProfileInput {
  /** The English text, which the account pages translate. */
  label: string
  maxLength: number
  type?: 'url' | 'tel'
  autocomplete?: string
}

/** The inputs of a profile, in the order of the pages. */
const profileFields = {
  pronouns: { label: 'Pronouns', maxLength: 40 },
  location: { label: 'Location', maxLength: 80 },
  locale: { label: 'Language', maxLength: 35 },
  timeZone: { label: 'Time zone', maxLength: 64 },
  website: { label: 'Website', type: 'url', autocomplete: 'url', maxLength: 2048 },
  avatarUrl: { label: 'Picture URL', type: 'url', maxLength: 2048 },
  bio: { label: 'About', maxLength: 500 }
} as const satisfies Readonly<Record<string, ProfileInput>>

export type ProfileField = keyof typeof profileFields

export const profileInputs = Object.entries(profileFields) as [ProfileField, ProfileInput][]

export const profileLabels = Object.fromEntries(
  profileInputs.map(([field, { label }]) => [field, label])
) as Record<ProfileField, string>
