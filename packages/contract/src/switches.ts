// Switches of the console and of Flocks: each names the path that its operations share, and gives each its title. Below
// them, what a Flock's settings are read and changed with.
import Type, { type TProperties, type TSchema } from 'typebox'
import { flag, flock_id } from './fields.ts'
import { get, Nothing, post, type Example } from './operation.ts'

/** A switch of the console. */
export function consoleSwitch(path: string, { stepUp = false } = {}) {
  const set = (verb: string) => (title: string) =>
    post(`${path}/${verb}`, 'admin', 'console', title, {}, Nothing, { settings: 'console', stepUp })
  return { disable: set('disable'), enable: set('enable') }
}

/** A switch of a Flock, which may leave it to the console. */
export function flockSwitch(path: string) {
  const set = (verb: string) => (title: string) => changeFlock(`${path}/${verb}`, title, { flock_id })
  return {
    disable: set('disable'),
    enable: set('enable'),
    useGlobal: set('use_global'),
    isEnabled: (title: string) => readFlock(`${path}/is_enabled`, title, Type.Object({ is_enabled: flag })),
    isGlobal: (title: string) => readFlock(`${path}/is_global`, title, Type.Object({ is_global: flag })),
  }
}

/** In examples, the Flock that every console has. */
export const theDefault = { flock_id: 'flock:default' }

/** Anybody reads something of a Flock. */
export const readFlock = <A extends TSchema>(path: string, title: string, answer: A) =>
  get(path, 'read-only', 'flock', title, { flock_id }, answer, { example: theDefault })

/** An admin changes settings of a Flock; the answer is empty, and the example is that of the default Flock. */
export const changeFlock = <P extends TProperties>(
  path: string,
  title: string,
  params: P,
  example: Example = {},
) =>
  post(path, 'admin', 'flock', title, params, Nothing, {
    settings: 'flock',
    example: { ...theDefault, ...example },
  })
