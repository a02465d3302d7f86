// Measures the promises of speed and memory. Run: npm run bench -- [ids, such as B1 B10] [--json]
import { join } from 'node:path'
import { exitWith } from './main.ts'
import { report } from './report.ts'

await exitWith(() => report(join(import.meta.dirname, 'cases'), process.argv.slice(2), console.log))
