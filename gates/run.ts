// Measures the promises of nothing lost, whatever fails. Run: npm run gate -- [ids, such as G1 G12] [--json]
import { join } from 'node:path'
import { exitWith } from '../bench/main.ts'
import { report } from '../bench/report.ts'

await exitWith(() => report(join(import.meta.dirname, 'cases'), process.argv.slice(2), console.log))
