// Measures the promises of speed and memory. Run: npm run bench -- [ids, such as B1 B10] [--json]
import { join } from 'node:path'
import { exitWith } from './rig/main.ts'
import { report } from './rig/report.ts'

await exitWith(() => report(join(import.meta.dirname, 'speed'), process.argv.slice(2), console.log))
