import { createPortal } from 'portal-client'
import { PortalProvider, SignedIn, useFlag, usePermission, useUser } from 'portal-client/react'

function Hello() {
  const user = useUser()
  const limit: number = useFlag('limit', 10)
  const isNew: boolean = useFlag('new', false)
  return (
    <p>
      {user?.name} {limit} {isNew && usePermission('invoices:read')}
    </p>
  )
}

export const app = (
  <PortalProvider portal={createPortal()}>
    <SignedIn>
      <Hello />
    </SignedIn>
  </PortalProvider>
)
