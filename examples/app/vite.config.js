// In development Vite is the proxy in front of everything, so that all is one origin. The portal
// needs the object form: with a bare string, Vite changes the Host that the browser sent.
const { PORT = '5173', PORTAL_PORT = '3000', SERVICE_PORT = '4001' } = process.env
const portal = { target: `http://localhost:${PORTAL_PORT}` }

export default {
  server: {
    port: Number(PORT),
    strictPort: true,
    proxy: {
      '/api/invoices': { target: `http://127.0.0.1:${SERVICE_PORT}` },
      '/api': portal,
      '/ofrep': portal,
      '/mail': portal,
      '/dev-provider': portal
    }
  }
}
