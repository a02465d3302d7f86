// Each logtype of a decoy, and each of its keys, is looked for by a proof that touches the decoy with a tool.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { expect, test } from 'vitest'

const PROOFS = import.meta.dirname
const proofs = globSync('**/*.ts', { cwd: PROOFS, exclude: ['lib/**', '**/*.test.ts'] }).map((file) =>
  readFileSync(join(PROOFS, file), 'utf8'),
)

/** Keys that no proof names, by service, and why. */
const UNNAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http: {
    CHANNEL: 'https has it alone; its service.test.ts shows it',
    HEADERS: 'an object of all headers; session.test.ts of http shows it',
  },
  sip: { HEADERS: 'an object of all headers; session.test.ts of sip shows it' },
  ssh: { TERMSIZE: 'clients send it after a login', TERMTYPE: 'clients send it after a login' },
}

const cases = descriptors.flatMap(({ service, logtypes }) =>
  logtypes.map(({ logtype, keys }) => ({ service, logtype, keys })),
)

test.each(cases)(
  '$logtype of $service is shown by a proof, with all its keys',
  ({ service, logtype, keys }) => {
    const showing = proofs.filter((text) => text.includes(`'${logtype}'`))
    expect(showing.length).toBeGreaterThan(0)
    const unnamed = keys.filter((key) => !showing.some((text) => new RegExp(`\\b${key}\\b`).test(text)))
    expect(unnamed.filter((key) => UNNAMED[service]?.[key] === undefined)).toEqual([])
  },
)
