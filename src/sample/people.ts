import type { users } from '../../db/schema/users.ts'
import type { NewId } from './ids.ts'

const hour = 3_600_000
const day = 24 * hour

const places = {
  vienna: { location: 'Vienna', locale: 'de-AT', timeZone: 'Europe/Vienna' },
  berlin: { location: 'Berlin', locale: 'de-DE', timeZone: 'Europe/Berlin' },
  leeds: { location: 'Leeds', locale: 'en-GB', timeZone: 'Europe/London' },
  boston: { location: 'Boston', locale: 'en-US', timeZone: 'America/New_York' },
  lima: { location: 'Lima', locale: 'es-PE', timeZone: 'America/Lima' },
  osaka: { location: 'Osaka', locale: 'ja-JP', timeZone: 'Asia/Tokyo' },
  amman: { location: 'Amman', locale: 'ar-JO', timeZone: 'Asia/Amman' },
  pune: { location: 'Pune', locale: 'en-IN', timeZone: 'Asia/Kolkata' }
} as const

/** Made up, oldest account first. The second word is the address before the `@`. */
const named: readonly [name: string, local: string, place: keyof typeof places][] = [
  ['Mara Lindqvist', 'mara.lindqvist', 'leeds'],
  ['Tobias Ehrenfels', 'tobias.ehrenfels', 'vienna'],
  ['Priya Raghunathan', 'priya.raghunathan', 'pune'],
  ['Jonah Whitcombe', 'jonah.whitcombe', 'boston'],
  ['Inés Valdivieso', 'ines.valdivieso', 'lima'],
  ['Annika Brandstätter', 'annika.brandstaetter', 'vienna'],
  ['森川 晴香', 'haruka.morikawa', 'osaka'],
  ['ليلى الحوراني', 'layla.hourani', 'amman'],
  ['Oskar Petzold', 'oskar.petzold', 'berlin'],
  ['Bridget O’Sheridan', 'bridget.osheridan', 'leeds'],
  ['Caleb Thornquist', 'caleb.thornquist', 'boston'],
  ['Rosa Huamanchumo', 'rosa.huamanchumo', 'lima'],
  ['Friederike von Hohenstein-Mühlbach', 'friederike.von.hohenstein-muehlbach', 'berlin'],
  ['Arjun Deshmane', 'arjun.deshmane', 'pune'],
  ['Nele Kirchhoff', 'nele.kirchhoff', 'berlin'],
  ['Samuel Oyelaran', 'samuel.oyelaran', 'leeds'],
  ['Greta Zwingl', 'greta.zwingl', 'vienna'],
  ['中谷 蓮', 'ren.nakatani', 'osaka'],
  ['Delphine Marchbanks', 'delphine.marchbanks', 'boston'],
  ['Emilio Quispealaya', 'emilio.quispealaya', 'lima'],
  ['Hannes Obermoser', 'hannes.obermoser', 'vienna'],
  ['Zaid Al-Rifaieh', 'zaid.alrifaieh', 'amman'],
  ['Ottoline Fairweather', 'ottoline.fairweather', 'leeds'],
  ['Kavya Subramanyam', 'kavya.subramanyam', 'pune'],
  ['Bo', 'bo', 'boston'],
  ['Lorenz Achleitner', 'lorenz.achleitner', 'vienna'],
  ['Marit Solheimsnes', 'marit.solheimsnes', 'berlin'],
  ['Desmond Applegarth', 'desmond.applegarth', 'leeds'],
  ['Yuki Tanabata', 'yuki.tanabata', 'osaka'],
  ['Ximena Tupayachi', 'ximena.tupayachi', 'lima'],
  ['Rhea Mukundan', 'rhea.mukundan', 'pune'],
  ['Casper Ljungdahl', 'casper.ljungdahl', 'berlin'],
  ['Imogen Pettibone', 'imogen.pettibone', 'boston'],
  ['Valentin Schrattenecker', 'valentin.schrattenecker', 'vienna'],
  ['Nour Khasawneh', 'nour.khasawneh', 'amman'],
  ['Philippa Hartnoll', 'philippa.hartnoll', 'leeds'],
  ['Matthis Brüggemann', 'matthis.brueggemann', 'berlin'],
  ['Odalys Ferreyros', 'odalys.ferreyros', 'lima'],
  ['Wendell Crabtree', 'wendell.crabtree', 'boston'],
  ['Sunniva Raaholt', 'sunniva.raaholt', 'berlin']
]

const bios = [
  'Keeps the books, and the plants beside them.',
  'Asks the question that everybody else was about to ask.',
  'Support on weekdays, mountains on weekends.'
] as const

export type Person = typeof users.$inferInsert & { createdAt: Date; lastLoginAt: Date | null }

/**
 * The users of the sample, who have no password: nobody can sign in as one until an administrator
 * sets it. The last ones registered within the two weeks.
 */
export const makePeople = (now: Date, newId: NewId): Person[] =>
  named.map(([name, local, place], n) => {
    const before = named.length - 1 - n
    const createdAt = new Date(now.getTime() - before * 2 * day - 5 * hour)
    const email = `${local}@sample.example`
    const isActive = n % 13 !== 12
    const hasSignedIn = isActive && n % 9 !== 8
    return {
      id: newId(createdAt),
      email,
      emailNormalized: email,
      emailVerifiedAt: n % 7 === 6 ? null : new Date(createdAt.getTime() + 240_000),
      name,
      status: isActive ? 'active' : 'deactivated',
      theme: (['system', 'light', 'dark'] as const)[n % 3],
      ...places[place],
      bio: bios[n % 5] ?? null,
      website: n % 6 === 0 ? `https://${local.replaceAll('.', '-')}.example/` : null,
      secondFactor: n % 8 === 0 && isActive,
      createdAt,
      updatedAt: createdAt,
      lastLoginAt: hasSignedIn ? new Date(now.getTime() - (before + 1) * 1_700_000) : null
    }
  })
