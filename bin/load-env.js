import { existsSync } from 'node:fs'

// For `npm run dev`: the variables in .env, where one is. What is set already is kept.
if (existsSync('.env')) process.loadEnvFile('.env')
