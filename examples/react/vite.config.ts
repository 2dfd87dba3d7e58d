import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The app and the portal share an origin: Vite forwards the paths of the portal.
const portal = { target: 'http://localhost:3000' }

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': portal, '/ofrep': portal } }
})
