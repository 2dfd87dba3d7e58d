import { OpenFeature } from '@openfeature/web-sdk'
import { createPortal } from 'portal-client'
import { followFlags } from 'portal-client/flags'
import { messageOf } from 'portal-client/messages'
import { askForPassword } from './ask.ts'

export const portal = createPortal({
  // A call needs a recent authentication: asks until the password is right, or the user cancels.
  async onProof() {
    let question = 'Your password'
    while (true) {
      const password = await askForPassword(question)
      if (password === undefined) return false
      try {
        return await portal.proof.password(password)
      } catch (error) {
        question = `${messageOf(error)} Your password`
      }
    }
  }
})
followFlags(portal)
export const flags = OpenFeature.getClient()
