/** Views that many visits of the pages do not need. Their code is one file, loaded later. */

export { Data } from './data.tsx'
export { Delete, Deleted } from './delete.tsx'
export { Enrol } from './enrol.tsx'
export { Profile } from './profile.tsx'
export { Invitation, Memberships } from './scopes.tsx'
export { Settings } from './settings.tsx'
