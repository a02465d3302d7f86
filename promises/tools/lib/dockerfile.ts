// Carries out a Dockerfile without a container engine, as far as ours need it: each stage is a copy of a bare Debian, a RUN is a
// command inside it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'

export interface Container {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  /** `uid:gid`. */
  readonly user: string
  readonly entrypoint: readonly string[]
  /** What an engine runs inside to see whether it serves; empty without a HEALTHCHECK. */
  readonly healthCheck: readonly string[]
}

const NEW = { env: {}, user: '', entrypoint: [], healthCheck: [] }

/** `base`: what stands for the image of each FROM. `folder` gets a root for each stage. Answers the last one. */
export async function buildContainer(
  dockerfile: string,
  context: string,
  base: string,
  folder: string,
): Promise<Container> {
  const stages = new Map<string, string>()
  let made: Container = { root: '', ...NEW }
  for (const [word, rest] of instructions(dockerfile)) {
    switch (word) {
      case 'FROM': {
        const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'last'
        made = { root: join(folder, name), ...NEW }
        stages.set(name, made.root)
        await checked('cp', ['-a', base, made.root])
        break
      }
      case 'COPY': {
        const [, stage, from = '', to = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? []
        const sources = globSync(join(stage === undefined ? context : (stages.get(stage) ?? ''), from))
        assert.equal(sources.length, 1, `COPY ${rest} copies ${sources.length} files.`)
        await checked('cp', ['-a', '--no-target-directory', sources[0] ?? '', join(made.root, to)])
        break
      }
      case 'RUN':
        await checked('chroot', [made.root, 'sh', '-ec', rest])
        break
      case 'ENV': {
        const [name = '', value = ''] = rest.split(/=(.*)/s)
        made = { ...made, env: { ...made.env, [name]: value } }
        break
      }
      case 'USER':
        made = { ...made, user: rest }
        break
      case 'ENTRYPOINT':
        made = { ...made, entrypoint: JSON.parse(rest) as string[] }
        break
      case 'HEALTHCHECK':
        made = { ...made, healthCheck: JSON.parse(rest.replace(/^(--\S+ )*CMD /, '')) as string[] }
        break
      default:
        assert.equal(word, 'VOLUME', `${word} is not known here.`)
    }
  }
  return made
}

const instructions = (dockerfile: string): (readonly [word: string, rest: string])[] =>
  readFileSync(dockerfile, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])

async function checked(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(program, args, { patienceMs: 180_000 })
  assert.equal(code, 0, `${program} ${args.join(' ')} ended with ${code}: ${stderr}`)
}
