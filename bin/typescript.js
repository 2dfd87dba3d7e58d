// For scripts that run from the sources: loads TypeScript, and routes and plugins that are written in it.
process.env.FASTIFY_AUTOLOAD_TYPESCRIPT = '1'
await import('tsx')
await import('../src/module-resolution.ts')
