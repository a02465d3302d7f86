// Random tests draw from one seed a run, which each failure names. `ROOKERY_SEED=… npm test` repeats a run.
import { configureGlobal } from 'fast-check'

const asked = process.env['ROOKERY_SEED']
const seed = asked === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(asked)
if (!Number.isInteger(seed)) throw new Error(`ROOKERY_SEED must be a whole number, not "${asked}".`)

configureGlobal({ seed })
