// Shows with real tools that the product does what it says. Run: npm run proof -- [names, such as tools nmap]
import { exitWith } from './rig/main.ts'
import { runProofs } from './tools/lib/runner.ts'

await exitWith(() => runProofs(process.argv.slice(2), console.log))
