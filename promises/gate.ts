// Measures the promises of nothing lost, whatever fails. Run: npm run gate -- [ids, such as G1 G12] [--json]
import { join } from 'node:path'
import { exitWith } from './rig/main.ts'
import { report } from './rig/report.ts'

await exitWith(() => report(join(import.meta.dirname, 'safety'), process.argv.slice(2), console.log))
