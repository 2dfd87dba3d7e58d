import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PortalProvider } from 'portal-client/react'
import { App } from './App.tsx'
import { flags, portal } from './portal.ts'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PortalProvider portal={portal} flags={flags}>
      <App />
    </PortalProvider>
  </StrictMode>
)
