// Shows with real tools that the product does what it says. Run: npm run proof -- [names, such as tools nmap]
import { exitWith } from '../bench/main.ts'
import { runProofs } from './runner.ts'

await exitWith(() => runProofs(process.argv.slice(2), console.log))
