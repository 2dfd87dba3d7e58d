import type { Db } from '../../db/engine.ts'
import { importUsers, readRoleIds } from '../domain/administration/import.ts'
import { prepareUser } from '../domain/administration/import-lines.ts'
import { randomBuffer } from '../domain/crypto.ts'
import { byPassword, byTotp } from '../domain/factors/recent-authentication.ts'
import type { Sealing } from '../domain/sealing.ts'
import { sampleRoles } from './access.ts'
import { day } from './history.ts'
import type { NewId, OperatorAt } from './history.ts'

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

/** Made up, oldest account first: the name, the place, and the address where it differs. */
const named = `
  Mara Lindqvist: leeds, Tobias Ehrenfels: vienna, Priya Raghunathan: pune, Jonah Whitcombe: boston,
  Inés Valdivieso: lima, Annika Brandstätter: vienna, 森川 晴香: osaka: haruka.morikawa,
  ليلى الحوراني: amman: layla.hourani, Oskar Petzold: berlin, Bridget O’Sheridan: leeds,
  Caleb Thornquist: boston, Rosa Huamanchumo: lima, Friederike von Hohenstein-Mühlbach: berlin,
  Arjun Deshmane: pune, Nele Kirchhoff: berlin, Samuel Oyelaran: leeds, Greta Zwingl: vienna,
  中谷 蓮: osaka: ren.nakatani, Delphine Marchbanks: boston, Emilio Quispealaya: lima,
  Hannes Obermoser: vienna, Zaid Al-Rifaieh: amman, Ottoline Fairweather: leeds,
  Kavya Subramanyam: pune, Bo: boston, Lorenz Achleitner: vienna, Marit Solheimsnes: berlin,
  Desmond Applegarth: leeds, Yuki Tanabata: osaka, Ximena Tupayachi: lima, Rhea Mukundan: pune,
  Casper Ljungdahl: berlin, Imogen Pettibone: boston, Valentin Schrattenecker: vienna,
  Nour Khasawneh: amman, Philippa Hartnoll: leeds, Matthis Brüggemann: berlin,
  Odalys Ferreyros: lima, Wendell Crabtree: boston, Sunniva Raaholt: berlin`
  .split(',')
  .map((each) => each.trim().split(': ') as [string, keyof typeof places, string | undefined])

const addressOf = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(' ', '.')
    .replaceAll(/[^a-z.-]/g, '')

/** The last ones were created within the two weeks. Every 13th account is deactivated. */
export const makePeople = (now: Date, newId: NewId) =>
  named.map(([name, place, local = addressOf(name)], n) => {
    const daysAgo = (named.length - 1 - n) * 2 + 0.2
    const createdAt = new Date(now.getTime() - daysAgo * day)
    const isActive = n % 13 !== 12
    const hasSignedIn = isActive && n % 9 !== 8
    return {
      ...{ id: newId(createdAt), email: `${local}@sample.example`, name, ...places[place] },
      ...{ daysAgo, createdAt, isActive, isVerified: n % 7 !== 6 },
      roles: sampleRoles.filter(({ every }) => n % every === 0).map(({ key }) => key),
      proof: n % 8 === 0 && isActive ? byTotp : byPassword,
      lastLoginAt: hasSignedIn ? new Date(now.getTime() - (daysAgo + 2) * 850_000) : undefined
    }
  })

export type Person = ReturnType<typeof makePeople>[number]

/** A hash of bcrypt that is zero: no password is known for it. */
const unknownPassword = `$2b$12$${'.'.repeat(53)}`

/** Nobody can sign in as one of them until an administrator sets a password. */
export async function importPeople(
  db: Db,
  people: Person[],
  sealing: Sealing,
  operatorAt: OperatorAt
) {
  const roles = await readRoleIds(db)
  for (const { daysAgo, createdAt, isActive, isVerified, proof, ...person } of people) {
    const { location, locale, timeZone, lastLoginAt, ...given } = person
    const line = {
      ...{ ...given, createdAt: createdAt.toISOString(), emailVerified: isVerified },
      status: isActive ? ('active' as const) : ('deactivated' as const),
      profile: { location, locale, timeZone },
      ...(lastLoginAt && { passwordHash: unknownPassword })
    }
    const { user, ...prepared } = prepareUser(line, { roles, providerOf: () => undefined })
    const secondFactor = proof === byTotp
    const totp = secondFactor ? { totp: randomBuffer(20) } : {}
    const users = [{ ...prepared, ...totp, user: { ...user, secondFactor } }]
    await importUsers(db, operatorAt(daysAgo), { users, roles, sealing })
  }
}
