import { existsSync } from 'node:fs'

// For `npm run dev`: loads .env if it exists. Variables that are already set keep their value.
if (existsSync('.env')) process.loadEnvFile('.env')
