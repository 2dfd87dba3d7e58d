import { OpenFeature } from '@openfeature/web-sdk'
import { followFlags } from 'portal-client/flags'
import { portal } from './portal.ts'

// From now on, the flags are those of the signed-in user, or of a visitor.
followFlags(portal)
export const flags = OpenFeature.getClient()
